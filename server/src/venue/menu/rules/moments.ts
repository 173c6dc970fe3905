/** A moment that a manager names by date and time of the venue's clock. */
import { instantAt, parseDate } from "#lib/instant.ts";
import { minuteOf } from "#venue/settings/rules/opening-hours.ts";

const HOUR_MAX = 23;

/** Null: there is no such date or time. */
export const momentAt = (zone: string, date: string, time: string): Date | null => {
  const day = parseDate(date);
  return day && Number(time.slice(0, 2)) <= HOUR_MAX ? instantAt(zone, day, minuteOf(time)) : null;
};
