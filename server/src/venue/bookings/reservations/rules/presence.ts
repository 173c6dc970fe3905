/** Says whether a party is expected, here, at a table, or gone. `arrived_at` and `left_at` are not in the API and emit no event. */
import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import { type BookingContext, refuseTables } from "./booking.ts";
import type { BookingRefusals } from "./refusals.ts";
import type { Stay, TableOccupancy } from "./tables.ts";

export type Presence = {
  status: ReservationStatus;
  arrived_at: Date | null;
  left_at: Date | null;
  no_show_at: Date | null;
};

const MINUTE_MS = 60_000;
export const UNDO_MS = 15 * MINUTE_MS;
/** A party that is still at its table past the end of its stay is expected to need this long. */
export const OVERSTAY_MS = 15 * MINUTE_MS;

export const canArrive = ({ status, arrived_at }: Presence): boolean => status === "confirmed" && arrived_at === null;

export const canTakeBackArrival = ({ status, arrived_at }: Presence): boolean => status === "confirmed" && arrived_at !== null;

export const canLeave = ({ status, left_at }: Presence): boolean => status === "seated" && left_at === null;

/** A guest who comes late finds the table again, if it is still free (open point D113). */
export const canTakeBackNoShow = ({ status, no_show_at }: Presence, now: Date): boolean =>
  status === "no_show" && no_show_at !== null && now.getTime() - no_show_at.getTime() <= UNDO_MS;

/** "Table free" tapped by mistake. */
export const canTakeBackLeaving = ({ status, left_at }: Presence, now: Date): boolean =>
  status === "seated" && left_at !== null && now.getTime() - left_at.getTime() <= UNDO_MS;

/** A party at its table holds it until it leaves, also past the end of its stay. */
export const heldUntil = ({ toMs }: TableOccupancy, isPresent: boolean, now: Date): number =>
  isPresent ? Math.max(toMs, now.getTime() + OVERSTAY_MS) : toMs;

/** A party that sits down now holds its tables from now on, and for a minute at least. Who had them before does not matter. */
export const seatedStay = ({ endsAt }: Pick<Stay, "endsAt">, now: Date): Stay => ({
  startsAt: now,
  endsAt: new Date(Math.max(endsAt.getTime(), now.getTime() + MINUTE_MS)),
});

/** The tables of a party that sits, from now on. Tables are not chosen for it: staff see where it sits. */
export const decideSeated = (
  wish: { party_size: number; table_ids: readonly number[] },
  { now, endsAt }: { now: Date; endsAt: Date },
  context: BookingContext,
): { tableIds: number[]; branchId: number | null; endsAt: Date } | { refusals: BookingRefusals } => {
  const stay = seatedStay({ endsAt }, now);
  const tables = context.tables.filter(({ id }) => wish.table_ids.includes(id));
  const refusals = refuseTables(wish, context, tables, stay);
  if (Object.keys(refusals).length > 0) return { refusals };
  return { tableIds: tables.map(({ id }) => id), branchId: tables[0]?.branch_id ?? null, endsAt: stay.endsAt };
};

const HOUR_MS = 60 * MINUTE_MS;
/** A party that comes earlier than this has another day in mind. */
export const EARLY_MS_MAX = 6 * HOUR_MS;

export const isExpectedSoon = ({ starts_at }: { starts_at: Date }, now: Date): boolean =>
  starts_at.getTime() - now.getTime() <= EARLY_MS_MAX;

export const isDue = ({ starts_at }: { starts_at: Date }, now: Date): boolean => starts_at.getTime() <= now.getTime();
