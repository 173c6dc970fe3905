/** Report periods, averages and changes (contract §4.5, open points D129–D135). */
import type { Order, OrderLine } from "@comanda/contract/venue/orders.ts";
import type { SalesSummary } from "@comanda/contract/venue/reports.ts";
import { because, type FieldRefusals } from "#lib/errors.ts";
import { addDays, type CalendarDate, formatDate, parseDate, weekdayOf } from "#lib/instant.ts";

export const PERIOD_DAYS_MAX = 366;

const DAY_MS = 24 * 60 * 60 * 1000;

export type ReportPeriod = { from: string; to: string; previousFrom: string; previousTo: string };

/** Defaults to today. A missing end is today, or the given day where today would reverse the period. */
export const decidePeriod = (wanted: { from?: string; to?: string }, today: CalendarDate): ReportPeriod | { errors: FieldRefusals } => {
  const now = formatDate(today);
  const from = wanted.from ?? wanted.to ?? now;
  const to = wanted.to ?? (wanted.from !== undefined && wanted.from > now ? wanted.from : now);
  const [first, last] = [parseDate(from), parseDate(to)];
  if (!first || !last) return { errors: { [first ? "to" : "from"]: [because("Must be a valid date.", "not_a_date")] } };
  if (from > to) return { errors: { to: [because("Lies before from.", "reversed_range", { start: "from" })] } };
  const days = daysBetween(first, last) + 1;
  if (days > PERIOD_DAYS_MAX)
    return { errors: { to: [because(`A period has at most ${PERIOD_DAYS_MAX} days.`, "period_too_long", { days_max: PERIOD_DAYS_MAX })] } };
  return { from, to, previousFrom: dayBefore(first, days), previousTo: dayBefore(first, 1) };
};

const FIRST_DAY = "0001-01-01";

/** A date before the year 1 has no ISO form, so the period is cut there. */
const dayBefore = (date: CalendarDate, days: number): string => {
  const day = addDays(date, -days);
  return day.year < 1 ? FIRST_DAY : formatDate(day);
};

const daysBetween = (a: CalendarDate, b: CalendarDate): number => Math.round((utc(b) - utc(a)) / DAY_MS);
/** `Date.UTC` would take the year 50 for 1950. */
const utc = ({ year, month, day }: CalendarDate): number => new Date(0).setUTCFullYear(year, month - 1, day);

export type SalesFigures = { orders: number; revenue_minor: number };

/** Rounds the average half up; 0 without orders. */
export const withAverage = ({ orders, revenue_minor }: SalesFigures): SalesSummary["previous"] => ({
  orders,
  revenue_minor,
  average_order_minor: orders === 0 ? 0 : Number((2n * BigInt(revenue_minor) + BigInt(orders)) / (2n * BigInt(orders))),
});

/** One decimal. A previous value of 0 gives 100, or 0 when both are 0. */
export const percentChange = (current: number, previous: number): number => {
  if (previous === 0) return current === 0 ? 0 : 100;
  return Math.round(((current - previous) / previous) * 1000) / 10;
};

export type RollupKind = "hour" | "hour_month" | "channel" | "dish" | "dish_month" | "payment" | "refund";

/** What is added to one row of the rollups. */
export type Rollup = { kind: RollupKind; date: string; branch_id: number; key: string; count: number; amount_minor: number };

/** Orders without a branch count under branch 0, because a primary key cannot contain null. */
export const NO_BRANCH = 0;

export type CountedSale = Pick<Order, "type" | "channel" | "branch_id" | "total_minor"> & {
  sold_on: string | null;
  sold_hour: number;
  lines: readonly Pick<OrderLine, "item_id" | "quantity" | "line_total_minor" | "voided">[];
};

/** What an order adds to the sums of its day and month. A struck line adds nothing. */
export const rollupsOf = ({ type, channel, branch_id, total_minor, sold_on, sold_hour, lines }: CountedSale): Rollup[] => {
  const date = parseDate(sold_on ?? "");
  if (sold_on === null || date === null) return [];
  const day = { date: sold_on, branch_id: branch_id ?? NO_BRANCH };
  const month = { ...day, date: `${sold_on.slice(0, 8)}01` };
  const order = { count: 1, amount_minor: total_minor };
  const hour = { key: `${weekdayOf(date)}-${sold_hour}`, ...order };
  return [
    { ...day, ...hour, kind: "hour" },
    { ...month, ...hour, kind: "hour_month" },
    { ...day, ...order, kind: "channel", key: `${type}:${channel}` },
    ...lines.flatMap(({ item_id, quantity, line_total_minor, voided }): Rollup[] => {
      if (voided) return [];
      const dish = { key: String(item_id), count: quantity, amount_minor: line_total_minor };
      return [
        { ...day, ...dish, kind: "dish" },
        { ...month, ...dish, kind: "dish_month" },
      ];
    }),
  ];
};

export const negated = (rollups: readonly Rollup[]): Rollup[] =>
  rollups.map((rollup) => ({ ...rollup, count: -rollup.count, amount_minor: -rollup.amount_minor }));

/** Returns one sum for each key, in the order in which every transaction locks them, without those that come to nothing. */
export const mergeRollups = (rollups: readonly Rollup[]): Rollup[] => {
  const merged = new Map<string, Rollup>();
  for (const rollup of rollups) {
    const place = [rollup.kind, rollup.date, rollup.branch_id, rollup.key].join(" ");
    const { count = 0, amount_minor = 0 } = merged.get(place) ?? {};
    merged.set(place, { ...rollup, count: count + rollup.count, amount_minor: amount_minor + rollup.amount_minor });
  }
  return [...merged.values()].filter(({ count, amount_minor }) => count !== 0 || amount_minor !== 0).sort(compareRollups);
};

const compareTexts = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
const compareRollups = (a: Rollup, b: Rollup): number =>
  compareTexts(a.kind, b.kind) || compareTexts(a.date, b.date) || a.branch_id - b.branch_id || compareTexts(a.key, b.key);
