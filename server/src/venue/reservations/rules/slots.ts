/** The times of a day at which guests may come: the owner's grid over opening hours and service periods (open point D123). */
import { type Hours, WEEKDAYS } from "@comanda/contract/venue-file.ts";
import { addDays, type CalendarDate, formatDate, instantAt, weekdayOf } from "#lib/instant.ts";
import { type WallClock, wallClock } from "#lib/zone.ts";
import { minuteOf } from "#venue/settings/rules.ts";

const DAY_MINUTES = 24 * 60;

export type Calendar = { zone: string; hours: Hours | null; servicePeriods: Hours | null; closingDays: readonly string[] };
export type Slot = { time: string; startsAt: Date };

/** A night that began the day before still belongs to this date after midnight. */
export const slotsOf = (calendar: Calendar, date: CalendarDate, slotMinutes: number): Slot[] => {
  const minutes = new Set<number>();
  for (const { from, to } of spansOn(calendar, date))
    for (let minute = from; minute < Math.min(to, DAY_MINUTES); minute += slotMinutes) minutes.add(minute);
  for (const { from, to } of spansOn(calendar, addDays(date, -1)))
    for (let minute = from; minute < to; minute += slotMinutes) if (minute >= DAY_MINUTES) minutes.add(minute - DAY_MINUTES);
  const isServed = servedOf(calendar);
  const slots: Slot[] = [];
  for (const minute of [...minutes].sort((a, b) => a - b)) {
    const startsAt = instantAt(calendar.zone, date, minute);
    const clock = wallClock(calendar.zone, startsAt);
    if (minuteShown(clock) === minute && isServed(clock)) slots.push({ time: timeOf(minute), startsAt });
  }
  return slots;
};

/**
 * Whether guests may come when the clock shows this: open, and inside a service period where the owner has set any. The hours of
 * a date are read once, for however many times of it are asked about.
 */
export const servedOf = (calendar: Calendar): ((clock: WallClock) => boolean) => {
  const { hours, servicePeriods, closingDays } = calendar;
  const isOpen = insideOf(hours, closingDays);
  const isService = servicePeriods === null ? () => true : insideOf(servicePeriods, closingDays);
  return (clock) => isOpen(clock) && isService(clock);
};

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

const minuteShown = ({ hour, minute }: WallClock): number => hour * 60 + minute;

/** A time that the clock skips in spring is no time to come. */
export const showsTime = (clock: WallClock, time: string): boolean => timeOf(minuteShown(clock)) === time;

type MinuteSpan = { from: number; to: number };

/** In minutes since the midnight with which the clock's own date began; what began the day before is below zero. */
const insideOf = (hours: Hours | null, closingDays: readonly string[]): ((clock: WallClock) => boolean) => {
  const read = new Map<number, MinuteSpan[]>();
  const spansAround = (date: CalendarDate): MinuteSpan[] => {
    const yesterday = spans(hours, closingDays, addDays(date, -1));
    return [...spans(hours, closingDays, date), ...yesterday.map(({ from, to }) => ({ from: from - DAY_MINUTES, to: to - DAY_MINUTES }))];
  };
  return (clock) => {
    const key = (clock.year * 12 + clock.month) * 31 + clock.day;
    const around = read.get(key) ?? spansAround(clock);
    read.set(key, around);
    const minute = minuteShown(clock);
    return around.some(({ from, to }) => from <= minute && minute < to);
  };
};

/** The grid runs over service periods where there are any, else over opening hours. */
const spansOn = ({ hours, servicePeriods, closingDays }: Calendar, date: CalendarDate) => spans(servicePeriods ?? hours, closingDays, date);

const spans = (hours: Hours | null, closingDays: readonly string[], date: CalendarDate): MinuteSpan[] => {
  if (closingDays.includes(formatDate(date))) return [];
  if (hours === null) return [{ from: 0, to: DAY_MINUTES }];
  const weekday = WEEKDAYS[weekdayOf(date)];
  return hours
    .filter((span) => weekday !== undefined && span.days.includes(weekday))
    .map((span) => {
      const [from, to] = [minuteOf(span.from), minuteOf(span.to)];
      return { from, to: to > from ? to : to + DAY_MINUTES };
    });
};
