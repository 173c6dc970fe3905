/** Weekly hours on a wall clock. A span that ends at or before its start runs into the next day. */
import { type Hours, WEEKDAYS } from "@comanda/contract/venue-file.ts";
import type { WallClock } from "#lib/zone.ts";

const DAY_MINUTES = 24 * 60;

/** Null is always, an empty list is never. The start is inside, the end is not. */
export const isWithinHours = (hours: Hours | null, clock: WallClock): boolean => {
  if (hours === null) return true;
  const minute = clock.hour * 60 + clock.minute;
  return hours.some((span) => {
    const from = minuteOf(span.from);
    const to = minuteOf(span.to);
    const days = span.days.map((day) => WEEKDAYS.indexOf(day));
    if (from < to) return days.includes(clock.weekday) && from <= minute && minute < to;
    const yesterday = (clock.weekday + 6) % 7;
    return (days.includes(clock.weekday) && minute >= from) || (days.includes(yesterday) && minute < to);
  });
};

export const minuteOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return Math.min(hour * 60 + minute, DAY_MINUTES);
};
