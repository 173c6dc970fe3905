/** The times of a day at which guests may come: the owner's grid over opening hours and service periods (open point D123). */
import { type Hours, WEEKDAYS } from "@comanda/contract/venue-file.ts";
import { addDays, type CalendarDate, formatDate, instantAt, weekdayOf } from "#lib/instant.ts";
import { wallClock } from "#lib/zone.ts";
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
  return [...minutes]
    .sort((a, b) => a - b)
    .map((minute) => ({ time: timeOf(minute), startsAt: instantAt(calendar.zone, date, minute) }))
    .filter(({ time, startsAt }) => showsTime(calendar.zone, startsAt, time) && isServed(calendar, startsAt));
};

/** Whether guests may come at this moment: open, and inside a service period where the owner has set any. */
export const isServed = (calendar: Calendar, instant: Date): boolean => {
  const { hours, servicePeriods } = calendar;
  return isInside(calendar, hours, instant) && (servicePeriods === null || isInside(calendar, servicePeriods, instant));
};

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** A time that the clock skips in spring is no time to come. */
export const showsTime = (zone: string, instant: Date, time: string): boolean => {
  const { hour, minute } = wallClock(zone, instant);
  return timeOf(hour * 60 + minute) === time;
};

const isInside = ({ zone, closingDays }: Calendar, hours: Hours | null, instant: Date): boolean => {
  const clock = wallClock(zone, instant);
  const minute = clock.hour * 60 + clock.minute;
  const today: CalendarDate = clock;
  return (
    spans(hours, closingDays, today).some(({ from, to }) => from <= minute && minute < to) ||
    spans(hours, closingDays, addDays(today, -1)).some(({ from, to }) => from <= minute + DAY_MINUTES && minute + DAY_MINUTES < to)
  );
};

/** The grid runs over service periods where there are any, else over opening hours. */
const spansOn = ({ hours, servicePeriods, closingDays }: Calendar, date: CalendarDate) => spans(servicePeriods ?? hours, closingDays, date);

const spans = (hours: Hours | null, closingDays: readonly string[], date: CalendarDate): { from: number; to: number }[] => {
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
