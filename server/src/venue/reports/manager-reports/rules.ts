/** Periods of reports, the days that today is compared with, and what a figure's key stands for. */
import type { ReportKind } from "@comanda/contract/console/reports.ts";
import { ORDER_TYPES, type OrderType } from "@comanda/contract/venue/orders.ts";
import type { FieldRefusals } from "#lib/errors.ts";
import { addDays, type CalendarDate, formatDate, instantAt, parseDate, startOfDay } from "#lib/instant.ts";
import { serviceDaySpan } from "#lib/service-day.ts";
import { wallClock } from "#lib/time-zone.ts";
import { decidePeriod } from "#venue/reports/rules.ts";

export type ChosenPeriod = { from: string; to: string; branchId: number | null };

export const choosePeriod = (
  { from, to, branch = null }: { from: string; to: string; branch?: number | null },
  today: CalendarDate,
): ChosenPeriod | { errors: FieldRefusals } => {
  const decided = decidePeriod({ from, to }, today);
  return "errors" in decided ? decided : { from, to, branchId: branch };
};

export type InstantSpan = { from: Date; until: Date };

const dateOf = (text: string): CalendarDate => parseDate(text) ?? { year: 1, month: 1, day: 1 };

/** The span goes from the first midnight to the one after the last day, on the venue's clock. */
export const daysSpan = (zone: string, { from, to }: Pick<ChosenPeriod, "from" | "to">): InstantSpan => ({
  from: startOfDay(zone, dateOf(from)),
  until: startOfDay(zone, addDays(dateOf(to), 1)),
});

/** The days of payments begin at 05:00. */
export const serviceDaysSpan = (zone: string, { from, to }: Pick<ChosenPeriod, "from" | "to">): InstantSpan => {
  const [first, last] = [serviceDaySpan(zone, from), serviceDaySpan(zone, to)];
  return first && last ? { from: first.from, until: last.until } : daysSpan(zone, { from, to });
};

/** The days of a period that make up whole months, as first days of these months; null when there is none. */
export const wholeMonths = ({ from, to }: Pick<ChosenPeriod, "from" | "to">): { first: string; last: string; until: string } | null => {
  const [start, end] = [dateOf(from), addDays(dateOf(to), 1)];
  const next = { year: start.year + (start.month === 12 ? 1 : 0), month: (start.month % 12) + 1, day: 1 };
  const first = formatDate(start.day === 1 ? start : next);
  const until = formatDate({ ...end, day: 1 });
  return first < until ? { first, last: formatDate({ ...addDays({ ...end, day: 1 }, -1), day: 1 }), until } : null;
};

export type ComparedSpan = InstantSpan & { date: string };

/** Today until now, and the same weekday of earlier weeks until the clock showed the same. */
export const comparedSpans = (zone: string, now: Date, weeks: number): ComparedSpan[] => {
  const clock = wallClock(zone, now);
  const minute = clock.hour * 60 + clock.minute;
  return Array.from({ length: weeks + 1 }, (_, week) => {
    const day = addDays(clock, -7 * week);
    return { date: formatDate(day), from: startOfDay(zone, day), until: week === 0 ? now : instantAt(zone, day, minute) };
  });
};

/** What an order must be to stand behind a figure. */
export type FigureFilter = {
  day: string | null;
  hour: { weekday: number; hour: number } | null;
  channel: { type: OrderType; channel: string } | null;
  itemId: number | null;
  branchId: number | null;
  method: string | null;
};

const NO_FILTER: FigureFilter = { day: null, hour: null, channel: null, itemId: null, branchId: null, method: null };

const isOrderType = (text: string): text is OrderType => (ORDER_TYPES as readonly string[]).includes(text);

const readId = (key: string): number | null => (/^\d{1,15}$/.test(key) ? Number(key) : null);

const READ_KEY: Record<ReportKind, (key: string) => Partial<FigureFilter> | null> = {
  day: (key) => (parseDate(key) ? { day: key } : null),
  hour: (key) => {
    const [, weekday, hour] = /^([0-6])-(\d{1,2})$/.exec(key) ?? [];
    return weekday === undefined || Number(hour) > 23 ? null : { hour: { weekday: Number(weekday), hour: Number(hour) } };
  },
  channel: (key) => {
    const [, type = "", channel = ""] = /^([a-z_]+):(.+)$/.exec(key) ?? [];
    return isOrderType(type) ? { channel: { type, channel } } : null;
  },
  dish: (key) => (readId(key) === null ? null : { itemId: readId(key) }),
  branch: (key) => (readId(key) === null ? null : { branchId: readId(key) }),
  method: (key) => (/^[a-z_]{1,20}$/.test(key) ? { method: key } : null),
};

/** Null for a key that no figure of this kind has. */
export const filterOf = (by: ReportKind, key: string | undefined): FigureFilter | null => {
  if (key === undefined) return NO_FILTER;
  const filter = READ_KEY[by](key);
  return filter && { ...NO_FILTER, ...filter };
};
