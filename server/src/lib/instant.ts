/** Dates and date-times as clients write them (open points D02, D03, D76). */
import { offsetAt, offsetMinutes } from "./time-zone.ts";

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

export type CalendarDate = { year: number; month: number; day: number };

/** Null for a text that is no calendar day, such as 30 February. */
export const parseDate = (text: string): CalendarDate | null => {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined || year < 1) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? { year, month, day } : null;
};

/** RFC 3339 with an offset or Z; a fraction is cut to whole seconds. Null without an offset, or for an impossible time. */
export const parseInstant = (text: string): Date | null => {
  const [, date = "", hour, minute, second, offsetHour = "0", offsetMinute = "0"] = DATE_TIME.exec(text) ?? [];
  if (!parseDate(date) || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return null;
  const epochMs = Date.parse(text.toUpperCase());
  return Number.isNaN(epochMs) ? null : new Date(Math.floor(epochMs / SECOND_MS) * SECOND_MS);
};

/** An offset's plus that is not encoded arrives as a space in a query string. */
export const parseQueryInstant = (text: string): Date | null => parseInstant(text.replace(/ (?=\d{2}:\d{2}$)/, "+"));

export const addDays = ({ year, month, day }: CalendarDate, days: number): CalendarDate => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day + days);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
};

export const formatDate = ({ year, month, day }: CalendarDate): string =>
  `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;

/** Monday is 0. */
export const weekdayOf = ({ year, month, day }: CalendarDate): number => {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return (date.getUTCDay() + 6) % 7;
};

/**
 * The instant at which a wall clock shows this time. A time that is skipped in spring is moved forward by the gap. Of a time that occurs
 * twice in autumn, the first is used.
 */
export const instantAt = (zone: string, date: CalendarDate, minuteOfDay: number): Date => {
  const utcMs = instantAtOffset(0, date, minuteOfDay).getTime();
  const before = offsetAt(zone, utcMs - DAY_MS);
  const after = offsetAt(zone, utcMs + DAY_MS);
  if (before === after) return new Date(utcMs - before * MINUTE_MS);
  const candidates = [before, after].map((offset) => instantAtOffset(offset, date, minuteOfDay));
  const exact = candidates.filter((instant) => instant.getTime() + offsetMinutes(zone, instant) * MINUTE_MS === utcMs);
  // In a gap neither fits: the offset from before it gives the time moved forward.
  const [first = candidates[0] as Date] = exact.sort((a, b) => a.getTime() - b.getTime());
  return first;
};

/** The instant at which a clock with this fixed offset shows this time. */
export const instantAtOffset = (offset: number, { year, month, day }: CalendarDate, minuteOfDay: number): Date => {
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  return new Date(midnight.getTime() + (minuteOfDay - offset) * MINUTE_MS);
};

/** The first change of the offset after `from`; null when there is none before `until`. */
export const clockChange = (zone: string, from: Date, until: Date): Date | null => {
  const offset = offsetMinutes(zone, from);
  const isAsBefore = (ms: number): boolean => offsetMinutes(zone, new Date(ms)) === offset;
  let [before, after] = [from.getTime(), from.getTime()];
  while (isAsBefore(after)) {
    if (after >= until.getTime()) return null;
    before = after;
    after = Math.min(after + DAY_MS, until.getTime());
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isAsBefore(middle)) before = middle;
    else after = middle;
  }
  return after < until.getTime() ? new Date(after) : null;
};

export const startOfDay = (zone: string, date: CalendarDate): Date => instantAt(zone, date, 0);

export type Span = { start: Date; end: Date };

/** A date means a whole day in the restaurant's time zone, a date-time a whole second. The end is exclusive. */
export const readSpan = (text: string, zone: string): Span | null => {
  const date = parseDate(text);
  if (date) return { start: startOfDay(zone, date), end: startOfDay(zone, addDays(date, 1)) };
  const instant = parseQueryInstant(text);
  return instant && { start: instant, end: new Date(instant.getTime() + SECOND_MS) };
};
