/** Request ids as people paste them. An id is a UUID of version 7 and begins with its time (RFC 9562 §5.7). */
import { REQUEST_LOG_DAYS } from "@comanda/contract/console/request-log-days.ts";
import { DAY_MS } from "#kit/dates.ts";

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/i;
/** The log is written once a second. */
const WRITTEN_AFTER_MS = 5000;

/** The id in a pasted text, such as a whole header line. */
export const findRequestId = (text: string): string | null => ID.exec(text)?.[0].toLowerCase() ?? null;

type MissingReason = "incomplete" | "old" | "new" | "elsewhere";

/** Why a request with this id is not in the venue's log. `at` is null when the id contains no time. */
export const explainMissing = (id: string, now: number): { reason: MissingReason; at: number | null } => {
  if (findRequestId(id) !== id.toLowerCase()) return { reason: "incomplete", at: null };
  const at = Number.parseInt(id.replace("-", "").slice(0, 12), 16);
  if (now - at > REQUEST_LOG_DAYS * DAY_MS) return { reason: "old", at };
  return { reason: now - at < WRITTEN_AFTER_MS ? "new" : "elsewhere", at };
};
