/** Where a booking stands, and what can be done with it. */
import type { BookingStep, DayBooking } from "@comanda/contract/console/bookings.ts";

export type BookingPhase = "pending" | "expected" | "arrived" | "seated" | "left" | "no_show" | "cancelled" | "declined";

export const phaseOf = ({ reservation: { status }, arrived_at, left_at }: DayBooking): BookingPhase => {
  if (status === "confirmed") return arrived_at === null ? "expected" : "arrived";
  if (status === "seated") return left_at === null ? "seated" : "left";
  return status;
};

const MINUTE_MS = 60_000;
const UNDO_MS = 15 * MINUTE_MS;

/** One tap each, the most likely one last. */
export const STEPS_OF_PHASE: Record<BookingPhase, readonly BookingStep[]> = {
  pending: [],
  expected: ["arrive", "seat"],
  arrived: ["seat"],
  seated: ["leave"],
  left: [],
  no_show: [],
  cancelled: [],
  declined: [],
};

export const canCancel = (phase: BookingPhase): boolean => phase === "pending" || phase === "expected" || phase === "arrived";
/** No party is a no-show before its time: a guest who calls off beforehand cancels. */
export const canBeNoShow = (booking: DayBooking, now: number): boolean =>
  ["expected", "arrived"].includes(phaseOf(booking)) && new Date(booking.starts_at).getTime() <= now;

const EARLY_MS_MAX = 6 * 60 * MINUTE_MS;
/** A party that comes earlier than this has another day in mind. */
export const isExpectedSoon = ({ starts_at }: DayBooking, now: number): boolean => new Date(starts_at).getTime() - now <= EARLY_MS_MAX;
const LIKELY_MS = 30 * MINUTE_MS;
/** Seating a party hours before its time is possible, and not what is likely: the button is not the filled one then. */
export const isLikelyNow = ({ starts_at }: DayBooking, now: number): boolean => new Date(starts_at).getTime() - now <= LIKELY_MS;
export const canChange = (phase: BookingPhase): boolean => canCancel(phase) || phase === "seated";

/** The step that takes the last one back. It has to come within fifteen minutes. */
export const undoOf = (booking: DayBooking, now: number): "undo_no_show" | "undo_leave" | null => {
  const phase = phaseOf(booking);
  const [at, step] = phase === "no_show" ? ([booking.no_show_at, "undo_no_show"] as const) : ([booking.left_at, "undo_leave"] as const);
  const isUndoable = (phase === "no_show" || phase === "left") && at !== null && now - new Date(at).getTime() < UNDO_MS;
  return isUndoable ? step : null;
};

/** Minutes after its time for a party that is expected, and after its end for one that is here. Null when it is not late. */
export const lateMinutes = (booking: DayBooking, now: number): number | null => {
  const phase = phaseOf(booking);
  const due = phase === "seated" ? booking.ends_at : phase === "expected" ? booking.starts_at : null;
  if (due === null) return null;
  const minutes = Math.floor((now - new Date(due).getTime()) / MINUTE_MS);
  return minutes > 0 ? minutes : null;
};

/** A party that is due within this time is marked: the host can still find another table for it. */
const LOOK_AHEAD_MS = 15 * MINUTE_MS;

/** Bookings whose table another party still has past its end, or guests without a booking who have an open order. */
export const waitingForTable = (bookings: readonly DayBooking[], now: number, ordered: Iterable<number> = []): ReadonlySet<string> => {
  const overdue = bookings.filter((booking) => phaseOf(booking) === "seated" && new Date(booking.ends_at).getTime() <= now);
  const taken = new Set([...overdue.flatMap(({ table_ids }) => table_ids), ...ordered]);
  const waits = (booking: DayBooking): boolean =>
    (phaseOf(booking) === "expected" || phaseOf(booking) === "arrived") &&
    new Date(booking.starts_at).getTime() <= now + LOOK_AHEAD_MS &&
    booking.table_ids.some((id) => taken.has(id));
  return new Set(bookings.filter(waits).map(({ reservation }) => reservation.id));
};

/** When it has its tables from: a party that sat down before its time has them since then. */
export const beginOf = (booking: DayBooking): number => {
  const booked = new Date(booking.starts_at).getTime();
  return phaseOf(booking) === "seated" && booking.seated_at !== null ? Math.min(booked, new Date(booking.seated_at).getTime()) : booked;
};

const HOLDS: ReadonlySet<BookingPhase> = new Set(["pending", "expected", "arrived", "seated"]);
export const holdsTable = (booking: DayBooking): boolean => HOLDS.has(phaseOf(booking));
