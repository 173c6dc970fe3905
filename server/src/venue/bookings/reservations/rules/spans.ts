/** When a venue serves on a day, and the times of its grid. */
import { addDays, type CalendarDate, formatDate, instantAt } from "#lib/instant.ts";
import { serviceDaySpan } from "#lib/service-day.ts";
import { spansOn } from "#venue/settings/rules/opening-hours.ts";
import { type BookingContext, branchOf, calendarOf } from "./booking.ts";
import { slotsOf } from "./slots.ts";

export type ServiceSpan = { branchId: number; from: Date; to: Date };

/**
 * Spans of every branch, from the service periods where the owner has set any, cut to the day of service: an evening that ends after
 * midnight is one span, and what is open at night belongs to the evening before.
 */
export const serviceSpans = (context: BookingContext, date: CalendarDate): ServiceSpan[] => {
  const day = serviceDaySpan(context.zone, formatDate(date));
  if (day === null) return [];
  const dates = [addDays(date, -1), date, addDays(date, 1)];
  return context.branches.flatMap((branch) => {
    const { servicePeriods, hours, closingDays, zone } = calendarOf(context, branch);
    return dates
      .flatMap((one) =>
        spansOn(servicePeriods ?? hours, closingDays, one).map(({ from, to }) => ({
          branchId: branch.id,
          from: later(instantAt(zone, one, from), day.from),
          to: earlier(instantAt(zone, one, to), day.until),
        })),
      )
      .filter(({ from, to }) => from < to);
  });
};

const later = (a: Date, b: Date): Date => (a > b ? a : b);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);

export const timesOf = (context: BookingContext, date: CalendarDate, branchId: number | null): string[] =>
  slotsOf(calendarOf(context, branchOf(context, branchId)), date, context.rules.slot_minutes).map(({ time }) => time);
