/** When a sandbox is reset, and the day it shows (open point D137). */
import { addDays, type CalendarDate, instantAt } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";

const RESET_MINUTE = 3 * 60;
/** Before the reset, so that no timestamp of a restored sample lies in the future. */
const SAMPLE_MINUTE = 75;

/** Where daylight saving skips 03:00 the reset is at 04:00; where 03:00 repeats, it is the first one. */
const resetOn = (zone: string, day: CalendarDate): Date => instantAt(zone, day, RESET_MINUTE);

/** A sandbox day runs from reset to reset: before 03:00 it is still the day before. */
export const sandboxDay = (zone: string, now: Date): CalendarDate => {
  const { year, month, day } = wallClock(zone, now);
  const today = { year, month, day };
  return now < resetOn(zone, today) ? addDays(today, -1) : today;
};

export const nextReset = (zone: string, now: Date): Date => resetOn(zone, addDays(sandboxDay(zone, now), 1));

/** The timestamp of everything in the sample. */
export const sampleInstant = (zone: string, day: CalendarDate): Date => instantAt(zone, day, SAMPLE_MINUTE);
