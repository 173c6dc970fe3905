/** Weekly hours and closing days: the only arithmetic of spans and minutes, for orders, reservations, menus and promotions. */
import { type Hours, WEEKDAYS } from "@comanda/contract/venue-file/opening-hours.ts";
import { addDays, type CalendarDate, clockChange, formatDate, instantAtOffset, startOfDay, weekdayOf } from "#lib/instant.ts";
import { offsetMinutes, type WallClock, wallClock } from "#lib/time-zone.ts";

export const DAY_MINUTES = 24 * 60;
const WEEK_DAYS = 7;
const SEARCH_DAYS_MAX = 14;

/** A branch as orders and reservations read it. */
export type BranchHours = { id: number; is_default: boolean; hours: Hours | null; closing_days: string[] };
export type OpeningCalendar = { zone: string; hours: Hours | null; closingDays: readonly string[] };

/** Minutes since the midnight of the day on which the span starts. The end is excluded and may lie on the next day. */
export type MinuteSpan = { from: number; to: number };

export const minuteOf = (time: string): number => {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return Math.min(hour * 60 + minute, DAY_MINUTES);
};

export const minuteOfDay = ({ hour, minute }: WallClock): number => hour * 60 + minute;

/** The spans that start on this date. A closing day has none; without hours a branch is open around the clock. */
export const spansOn = (hours: Hours | null, closingDays: readonly string[], date: CalendarDate): MinuteSpan[] => {
  if (closingDays.includes(formatDate(date))) return [];
  return hours === null ? [{ from: 0, to: DAY_MINUTES }] : spansOfWeekday(hours, weekdayOf(date));
};

const spansOfWeekday = (hours: Hours, weekday: number): MinuteSpan[] => {
  const name = WEEKDAYS[weekday];
  return hours
    .filter((span) => name !== undefined && span.days.includes(name))
    .map((span) => {
      const [from, to] = [minuteOf(span.from), minuteOf(span.to)];
      return { from, to: to > from ? to : to + DAY_MINUTES };
    });
};

/** A span that started yesterday may reach into today, also when today is a closing day. */
const covers = (minute: number, today: readonly MinuteSpan[], yesterday: readonly MinuteSpan[]): boolean =>
  today.some(({ from, to }) => from <= minute && minute < to) ||
  yesterday.some(({ from, to }) => from <= minute + DAY_MINUTES && minute + DAY_MINUTES < to);

/** Hours of a menu, a category, a happy hour or a promotion: null is always, an empty list is never. */
export const isWithinHours = (hours: Hours | null, clock: WallClock): boolean =>
  hours === null ||
  covers(minuteOfDay(clock), spansOfWeekday(hours, clock.weekday), spansOfWeekday(hours, (clock.weekday + WEEK_DAYS - 1) % WEEK_DAYS));

/** Checks hours and closing days. It reads the spans of a date once, however many times of that date are checked. */
export const createHoursCheck = (hours: Hours | null, closingDays: readonly string[]): ((clock: WallClock) => boolean) => {
  const spansByDate = new Map<string, [today: MinuteSpan[], yesterday: MinuteSpan[]]>();
  return (clock) => {
    const key = formatDate(clock);
    const [today, yesterday] = spansByDate.get(key) ?? [
      spansOn(hours, closingDays, clock),
      spansOn(hours, closingDays, addDays(clock, -1)),
    ];
    spansByDate.set(key, [today, yesterday]);
    return covers(minuteOfDay(clock), today, yesterday);
  };
};

export const isOpenAt = ({ zone, hours, closingDays }: OpeningCalendar, instant: Date): boolean => {
  const clock = wallClock(zone, instant);
  return covers(minuteOfDay(clock), spansOn(hours, closingDays, clock), spansOn(hours, closingDays, addDays(clock, -1)));
};

/**
 * The first instant from `instant` on at which the branch is open; null when there is none within two weeks. A clock change can jump into
 * a span or repeat its start, so each period between two clock changes is searched by itself.
 */
export const nextOpening = (calendar: OpeningCalendar, instant: Date): Date | null => {
  if (isOpenAt(calendar, instant)) return instant;
  const { zone } = calendar;
  const until = startOfDay(zone, addDays(wallClock(zone, instant), SEARCH_DAYS_MAX + 1));
  for (let from = instant; ; ) {
    const change = clockChange(zone, from, until);
    const opens = opensBetween(calendar, from, change ?? until);
    if (opens || !change) return opens;
    from = change;
  }
};

/** The clock does not change between the two instants. */
const opensBetween = (calendar: OpeningCalendar, from: Date, until: Date): Date | null => {
  if (isOpenAt(calendar, from)) return from;
  const { zone, hours, closingDays } = calendar;
  const offset = offsetMinutes(zone, from);
  for (let day: CalendarDate = wallClock(zone, from); instantAtOffset(offset, day, 0) < until; day = addDays(day, 1)) {
    const starts = spansOn(hours, closingDays, day).map((span) => instantAtOffset(offset, day, span.from));
    const [first] = starts.filter((start) => start > from && start < until).sort((a, b) => a.getTime() - b.getTime());
    if (first) return first;
  }
  return null;
};
