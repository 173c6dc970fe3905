/** Points out active tokens that no program uses. */
import type { TokenRow } from "@comanda/contract/console/tokens.ts";
import { daysBetween } from "#kit/date-time-format.ts";

const UNUSED_DAYS = 30;

/** Days without use, or null below the limit for a hint. */
export const unusedDays = (token: TokenRow, now: number): number | null => {
  if (token.state !== "active") return null;
  const days = daysBetween(token.last_used_at ?? token.created_at, now);
  return days > UNUSED_DAYS ? days : null;
};
