/** The day as the page has it, and how answers of the server change it. */
import type { BookingDay, DayBooking } from "@comanda/contract/console/bookings.ts";
import { serviceDayAt, serviceDaySpan } from "#kit/dates.ts";
import { undoOf } from "./phases.ts";

export type DayState = Omit<BookingDay, "is_whole" | "now"> & {
  /** How far the server's clock is ahead of this device's. */
  clockAheadMs: number;
};

/** The day of a page, and the present moment. */
type ShownDay = { date: string; zone: string; now: number };

/**
 * As the server lists them: those of the day of service, open ones of the evening before that reach into it, and today the parties still
 * here and those of the evening before whose last step can be undone.
 */
const belongsTo = ({ date, zone, now }: ShownDay, booking: DayBooking): boolean => {
  const { from, to } = serviceDaySpan(date, zone);
  const [startsAt, endsAt] = [booking.starts_at, booking.ends_at].map((at) => new Date(at).getTime()) as [number, number];
  if (startsAt >= from) return startsAt < to;
  const isToday = serviceDayAt(now, zone) === date;
  if (isToday && undoOf(booking, now) !== null) return true;
  const { status } = booking.reservation;
  if (status === "seated") return booking.left_at === null && isToday;
  return (status === "confirmed" || status === "pending") && endsAt > from;
};

const mergeBookings = (day: ShownDay, known: readonly DayBooking[], given: readonly DayBooking[]): DayBooking[] => {
  const bookings = new Map(known.map((booking) => [booking.reservation.id, booking]));
  for (const booking of given) {
    const before = bookings.get(booking.reservation.id);
    // An answer may have been read before a write that the page has seen already.
    if (before && booking.version < before.version) continue;
    if (belongsTo(day, booking)) bookings.set(booking.reservation.id, booking);
    else bookings.delete(booking.reservation.id);
  }
  return [...bookings.values()].sort((a, b) => a.starts_at.localeCompare(b.starts_at) || a.reservation.id.localeCompare(b.reservation.id));
};

/** A whole answer replaces all; another holds the bookings that changed after the position that the page sent. */
export const mergeDay = (known: DayState | undefined, { is_whole, now, ...answer }: BookingDay, receivedAt: number): DayState => ({
  ...answer,
  bookings: mergeBookings({ ...answer, now: new Date(now).getTime() }, is_whole ? [] : (known?.bookings ?? []), answer.bookings),
  is_cut: is_whole ? answer.is_cut : (known?.is_cut ?? answer.is_cut),
  clockAheadMs: new Date(now).getTime() - receivedAt,
});

/** The answer to a write. The position stays: other changes before it may be missing here. */
export const mergeWrittenBooking = (known: DayState, written: DayBooking): DayState => ({
  ...known,
  bookings: mergeBookings({ ...known, now: Date.now() + known.clockAheadMs }, known.bookings, [written]),
});
