/** When a branch is open, and when it opens next: weekly hours, closing days, past midnight, over changes of the clock. */
import { type Hours, WEEKDAYS } from "@comanda/contract/venue-file.ts";
import { addDays, type CalendarDate, clockChange, formatDate, instantAtOffset, startOfDay, weekdayOf } from "#lib/instant.ts";
import { offsetMinutes, wallClock } from "#lib/zone.ts";
import { minuteOf } from "#venue/settings/rules.ts";

export type Opening = { zone: string; hours: Hours | null; closingDays: readonly string[] };

const SEARCH_DAYS_MAX = 14;

/** A span belongs to the day it starts on: a closing day has no starts, but the night before may run into it. */
export const isOpenAt = (opening: Opening, instant: Date): boolean => {
  const clock = wallClock(opening.zone, instant);
  const minute = clock.hour * 60 + clock.minute;
  return (
    spansOn(opening, clock).some(({ from, to }) => from <= minute && (to > from ? minute < to : true)) ||
    spansOn(opening, addDays(clock, -1)).some(({ from, to }) => to <= from && minute < to)
  );
};

/**
 * The first moment from `instant` on at which the branch is open; null when there is none within two weeks. A change of the
 * clock can jump into a span or repeat its start, so the time between two changes is searched at once, and no more.
 */
export const nextOpening = (opening: Opening, instant: Date): Date | null => {
  const { zone } = opening;
  const until = startOfDay(zone, addDays(wallClock(zone, instant), SEARCH_DAYS_MAX + 1));
  for (let from = instant; ; ) {
    const change = clockChange(zone, from, until);
    const opens = opensBetween(opening, from, change ?? until);
    if (opens || !change) return opens;
    from = change;
  }
};

/** Between two instants without a change of the clock. */
const opensBetween = (opening: Opening, from: Date, until: Date): Date | null => {
  if (isOpenAt(opening, from)) return from;
  const offset = offsetMinutes(opening.zone, from);
  for (let day: CalendarDate = wallClock(opening.zone, from); instantAtOffset(offset, day, 0) < until; day = addDays(day, 1)) {
    const starts = spansOn(opening, day).map((span) => instantAtOffset(offset, day, span.from));
    const [first] = starts.filter((start) => start > from && start < until).sort((a, b) => a.getTime() - b.getTime());
    if (first) return first;
  }
  return null;
};

const DAY_MINUTES = 24 * 60;

/** Without hours a branch is open around the clock. */
const spansOn = ({ hours, closingDays }: Opening, day: CalendarDate): { from: number; to: number }[] => {
  if (closingDays.includes(formatDate(day))) return [];
  if (hours === null) return [{ from: 0, to: DAY_MINUTES }];
  const weekday = WEEKDAYS[weekdayOf(day)];
  return hours
    .filter((span) => weekday !== undefined && span.days.includes(weekday))
    .map((span) => ({ from: minuteOf(span.from), to: minuteOf(span.to) }));
};
