/** A day of service begins at 05:00 on the venue's clock, so that an evening that ends after midnight is one day. */
import { addDays, formatDate, instantAt, parseDate } from "./instant.ts";
import { wallClock } from "./time-zone.ts";

const FIRST_HOUR = 5;

export const serviceDay = (zone: string, moment: Date): string => {
  const clock = wallClock(zone, moment);
  return formatDate(clock.hour < FIRST_HOUR ? addDays(clock, -1) : clock);
};

/** The span begins with the day's start, which is included, and ends at the start of the next day. */
export const serviceDaySpan = (zone: string, day: string): { from: Date; until: Date } | null => {
  const date = parseDate(day);
  const startOf = (which: NonNullable<typeof date>): Date => instantAt(zone, which, FIRST_HOUR * 60);
  return date && { from: startOf(date), until: startOf(addDays(date, 1)) };
};

/** The next 05:00 on the venue's clock. */
export const endOfServiceDay = (zone: string, now: Date): Date => serviceDaySpan(zone, serviceDay(zone, now))?.until ?? now;
