/** Periods and what they come to (contract §4.5, open points D129–D135). */
import type { SalesSummary } from "@comanda/contract/reports.ts";
import type { Faults } from "#lib/errors.ts";
import { addDays, type CalendarDate, formatDate, parseDate } from "#lib/instant.ts";

export const PERIOD_DAYS_MAX = 366;

const DAY_MS = 24 * 60 * 60 * 1000;

export type Period = { from: string; to: string; previousFrom: string; previousTo: string };

/** Today by default; with one end given the other is today, or the same day where that would turn the period round. */
export const decidePeriod = (wanted: { from?: string; to?: string }, today: CalendarDate): Period | { faults: Faults } => {
  const now = formatDate(today);
  const from = wanted.from ?? wanted.to ?? now;
  const to = wanted.to ?? (wanted.from !== undefined && wanted.from > now ? wanted.from : now);
  const [first, last] = [parseDate(from), parseDate(to)];
  if (!first || !last) return { faults: { [first ? "to" : "from"]: ["Must be a valid date."] } };
  if (from > to) return { faults: { to: ["Lies before from."] } };
  const days = daysBetween(first, last) + 1;
  if (days > PERIOD_DAYS_MAX) return { faults: { to: [`A period has at most ${PERIOD_DAYS_MAX} days.`] } };
  return { from, to, previousFrom: dayBefore(first, days), previousTo: dayBefore(first, 1) };
};

const FIRST_DAY = "0001-01-01";

/** The calendar begins with the year 1; nobody sold anything before. */
const dayBefore = (date: CalendarDate, days: number): string => {
  const day = addDays(date, -days);
  return day.year < 1 ? FIRST_DAY : formatDate(day);
};

const daysBetween = (a: CalendarDate, b: CalendarDate): number => Math.round((utc(b) - utc(a)) / DAY_MS);
/** `Date.UTC` would take the year 50 for 1950. */
const utc = ({ year, month, day }: CalendarDate): number => new Date(0).setUTCFullYear(year, month - 1, day);

export type Figures = { orders: number; revenue_minor: number };

/** The average is rounded half up; without orders it is nothing. */
export const withAverage = ({ orders, revenue_minor }: Figures): SalesSummary["previous"] => ({
  orders,
  revenue_minor,
  average_order_minor: orders === 0 ? 0 : Number((2n * BigInt(revenue_minor) + BigInt(orders)) / (2n * BigInt(orders))),
});

/** One decimal; from nothing to something is a hundred per cent, from nothing to nothing none. */
export const percentChange = (current: number, previous: number): number => {
  if (previous === 0) return current === 0 ? 0 : 100;
  return Math.round(((current - previous) / previous) * 1000) / 10;
};
