/** The bookable times of a day: a grid over opening hours and service periods (open point D123). */
import type { Hours } from "@comanda/contract/venue-file/opening-hours.ts";
import { addDays, type CalendarDate, instantAt } from "#lib/instant.ts";
import { type WallClock, wallClock } from "#lib/time-zone.ts";
import { createHoursCheck, DAY_MINUTES, minuteOfDay, type OpeningCalendar, spansOn } from "#venue/settings/rules/opening-hours.ts";

export type BookingCalendar = OpeningCalendar & { servicePeriods: Hours | null };
export type BookingSlot = { time: string; startsAt: Date };

/** Includes the times after midnight of spans that started the day before. */
export const slotsOf = (calendar: BookingCalendar, date: CalendarDate, slotMinutes: number): BookingSlot[] => {
  const minutes = new Set<number>();
  // The grid runs over the service periods where the owner has set any, otherwise over the opening hours.
  const hours = calendar.servicePeriods ?? calendar.hours;
  for (const { from, to } of spansOn(hours, calendar.closingDays, date))
    for (let minute = from; minute < Math.min(to, DAY_MINUTES); minute += slotMinutes) minutes.add(minute);
  for (const { from, to } of spansOn(hours, calendar.closingDays, addDays(date, -1)))
    for (let minute = from; minute < to; minute += slotMinutes) if (minute >= DAY_MINUTES) minutes.add(minute - DAY_MINUTES);
  const isServed = createServingCheck(calendar);
  const slots: BookingSlot[] = [];
  for (const minute of [...minutes].sort((a, b) => a - b)) {
    const startsAt = instantAt(calendar.zone, date, minute);
    const clock = wallClock(calendar.zone, startsAt);
    if (minuteOfDay(clock) === minute && isServed(clock)) slots.push({ time: timeOf(minute), startsAt });
  }
  return slots;
};

/**
 * Whether the branch is open at this time and, where the owner has set service periods, inside one of them.
 */
export const createServingCheck = (calendar: BookingCalendar): ((clock: WallClock) => boolean) => {
  const { hours, servicePeriods, closingDays } = calendar;
  const isOpen = createHoursCheck(hours, closingDays);
  const isService = servicePeriods === null ? () => true : createHoursCheck(servicePeriods, closingDays);
  return (clock) => isOpen(clock) && isService(clock);
};

export const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** False for a time that daylight saving skips. */
export const isTimeShown = (clock: WallClock, time: string): boolean => timeOf(minuteOfDay(clock)) === time;
