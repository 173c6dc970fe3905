/** The state of a dish or an option, and what a choice of staff makes of it. */
import type { DishChange, DishState, OptionChoice, OptionState } from "@comanda/contract/console/menu-today.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { endOfServiceDay } from "#lib/service-day.ts";

/** A dish as it is stored. The state follows from it. */
export type Selling = { is_available: boolean; sold_out_until: Date | null; remaining: number | null };

/** An end further away is a change of the menu, not of today. */
const UNTIL_MS_MAX = 31 * 24 * 60 * 60 * 1000;

/** A count that disagrees with `is_available` is left over from a process that did not know counts. */
export const dishState = ({ is_available, sold_out_until, remaining }: Selling): DishState => {
  if (remaining !== null && is_available === remaining > 0) return { kind: "counted", until: null, remaining };
  if (is_available) return { kind: "available", until: null, remaining: null };
  return { kind: "sold_out", until: sold_out_until?.toISOString() ?? null, remaining: null };
};

export const optionState = ({ is_available, sold_out_until }: Omit<Selling, "remaining">): OptionState =>
  is_available ? { kind: "available", until: null } : { kind: "sold_out", until: sold_out_until?.toISOString() ?? null };

const sameInstant = (one: string | null, other: string | null): boolean =>
  one === other || (one !== null && other !== null && Date.parse(one) === Date.parse(other));

export const isSameOption = (one: OptionState, other: OptionState): boolean =>
  one.kind === other.kind && sameInstant(one.until, other.until);

export const isSameDish = (one: DishState, other: DishState): boolean =>
  one.kind === other.kind && sameInstant(one.until, other.until) && one.remaining === other.remaining;

type DayClock = { zone: string; now: Date };

export const optionAfter = (choice: OptionChoice, { zone, now }: DayClock): Omit<Selling, "remaining"> => ({
  is_available: choice === "available",
  sold_out_until: choice === "today" ? endOfServiceDay(zone, now) : null,
});

/** The dish afterwards, or the fields that are missing or wrong. */
export const dishAfter = (
  { to, until, remaining }: Omit<DishChange, "seen">,
  { zone, now }: DayClock,
): Selling | { errors: FieldErrors } => {
  if (to === "count")
    return remaining === undefined
      ? { errors: { remaining: ["Say how many are left."] } }
      : { is_available: remaining > 0, sold_out_until: null, remaining };
  if (to !== "time") return { ...optionAfter(to, { zone, now }), remaining: null };
  const end = until === undefined ? null : new Date(until);
  if (end === null || end <= now) return { errors: { until: ["Must be in the future."] } };
  if (end.getTime() - now.getTime() > UNTIL_MS_MAX) return { errors: { until: ["Must be within 31 days."] } };
  return { is_available: false, sold_out_until: end, remaining: null };
};
