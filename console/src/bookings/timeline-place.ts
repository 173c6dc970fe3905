/** Where things lie on the timeline, as parts of its length. The reading direction mirrors them by itself. */
import type { BookingDay, DayBooking } from "@comanda/contract/console/bookings.ts";
import { serviceDaySpan } from "#kit/dates.ts";
import { beginOf, holdsTable } from "./phases.ts";

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 4 * QUARTER_MS;
/** What a day without opening hours shows. */
const HOURS_DEFAULT = 8;

export type TimelineSpan = { from: number; to: number };

const floorTo = (at: number, step: number): number => Math.floor(at / step) * step;
const ceilTo = (at: number, step: number): number => Math.ceil(at / step) * step;

type TimelineDay = Pick<BookingDay, "date" | "zone" | "spans" | "bookings">;

/** The span goes from the first opening or booking to the last end, in whole hours, inside of the day of service. */
export const timelineSpan = ({ date, zone, spans, bookings }: TimelineDay, now: number): TimelineSpan => {
  const day = serviceDaySpan(date, zone);
  const held = bookings.filter(holdsTable);
  const starts = [...spans.map(({ from }) => from), ...held.map(beginOf)].map((at) => new Date(at).getTime());
  const ends = [...spans.map(({ to }) => to), ...held.map(({ ends_at }) => ends_at)].map((at) => new Date(at).getTime());
  if (starts.length === 0) return { from: floorTo(now, HOUR_MS), to: floorTo(now, HOUR_MS) + HOURS_DEFAULT * HOUR_MS };
  const from = Math.max(day.from, floorTo(Math.min(...starts), HOUR_MS));
  return { from, to: Math.max(from + HOUR_MS, Math.min(day.to, ceilTo(Math.max(...ends), HOUR_MS))) };
};

export type TimelinePlace = { start: number; length: number };

/** Percent of the length. Null outside of it. */
export const placeOf = ({ from, to }: TimelineSpan, startsAt: string | number, endsAt: string | number): TimelinePlace | null => {
  const [begin, end] = [Math.max(from, new Date(startsAt).getTime()), Math.min(to, new Date(endsAt).getTime())];
  if (end <= begin) return null;
  const length = to - from;
  return { start: ((begin - from) / length) * 100, length: ((end - begin) / length) * 100 };
};

export const hoursOf = ({ from, to }: TimelineSpan): number[] =>
  Array.from({ length: Math.max(0, Math.round((to - from) / HOUR_MS)) }, (_, hour) => from + hour * HOUR_MS);

export type QuarterLoad = { at: number; guests: number };

/** How many guests there are in each quarter of an hour. */
export const loadOf = ({ from, to }: TimelineSpan, bookings: readonly DayBooking[]): QuarterLoad[] => {
  const held = bookings.filter(holdsTable).map((booking) => ({
    from: beginOf(booking),
    to: new Date(booking.ends_at).getTime(),
    guests: booking.reservation.party_size,
  }));
  return Array.from({ length: Math.max(0, Math.round((to - from) / QUARTER_MS)) }, (_, quarter) => {
    const at = from + quarter * QUARTER_MS;
    const guests = held.filter((one) => one.from < at + QUARTER_MS && at < one.to).reduce((sum, one) => sum + one.guests, 0);
    return { at, guests };
  });
};
