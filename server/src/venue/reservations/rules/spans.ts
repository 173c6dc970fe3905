/** When a venue serves on a day, and the times of its grid. */
import { type CalendarDate, instantAt } from "#lib/instant.ts";
import { spansOn } from "#venue/settings/rules/opening-hours.ts";
import { type BookingContext, branchOf, calendarOf } from "./booking.ts";
import { slotsOf } from "./slots.ts";

export type ServiceSpan = { branchId: number; from: Date; to: Date };

/** Of every branch, from the service periods where the owner has set any. A span that ends after midnight belongs to the day on which it starts. */
export const serviceSpans = (context: BookingContext, date: CalendarDate): ServiceSpan[] =>
  context.branches.flatMap((branch) => {
    const { servicePeriods, hours, closingDays, zone } = calendarOf(context, branch);
    return spansOn(servicePeriods ?? hours, closingDays, date).map(({ from, to }) => ({
      branchId: branch.id,
      from: instantAt(zone, date, from),
      to: instantAt(zone, date, to),
    }));
  });

export const timesOf = (context: BookingContext, date: CalendarDate, branchId: number | null): string[] =>
  slotsOf(calendarOf(context, branchOf(context, branchId)), date, context.rules.slot_minutes).map(({ time }) => time);
