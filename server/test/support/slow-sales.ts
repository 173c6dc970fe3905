/** Figures of reports, added up order by order and payment by payment with a calendar of its own. Nothing here uses the stored sums. */
import type { ReportKind, ReportRow } from "@comanda/contract/console/reports.ts";
import { Temporal } from "temporal-polyfill";
import type { TestDatabase } from "./database.ts";

type SlowLine = { item_id: number; quantity: number; line_total_minor: number; voided: boolean };
type SlowOrder = { at: string; branch: number; type: string; channel: string; total: number; lines: SlowLine[] };
type SlowPayment = { at: string; branch: number; method: string; amount: number; is_refund: boolean };
export type SlowHistory = { zone: string; orders: SlowOrder[]; payments: SlowPayment[] };

export const readSlowHistory = async (database: TestDatabase, venueId: number): Promise<SlowHistory> => {
  const [venue] = await database.asOwner<{ zone: string }>("select zone from restaurants where id = $1", [venueId]);
  const orders = await database.asOwner<SlowOrder>(
    `select to_char(placed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, coalesce(branch_id, 0)::integer as branch, type, channel,
       total_minor::integer as total, lines
     from orders where restaurant_id = $1 and status in ('placed', 'accepted', 'ready', 'completed')`,
    [venueId],
  );
  const payments = await database.asOwner<SlowPayment>(
    `select to_char(x.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, coalesce(o.branch_id, 0)::integer as branch, x.method,
       x.amount::integer as amount, x.is_refund
     from (select recorded_at as at, method, amount_minor as amount, false as is_refund, order_id from payments where restaurant_id = $1
       union all select r.refunded_at, p.method, r.amount_minor, true, p.order_id from refunds r, payments p
         where r.restaurant_id = $1 and p.restaurant_id = $1 and p.id = r.payment_id) x
       left join orders o on o.restaurant_id = $1 and o.id = x.order_id`,
    [venueId],
  );
  return { zone: venue?.zone ?? "UTC", orders, payments };
};

type SlowPeriod = { from: string; to: string; branch: number | undefined };
type Sums = Map<string, Pick<ReportRow, "count" | "amount_minor" | "refunded_minor">>;

const add = (sums: Sums, key: string, { count = 0, amount_minor = 0, refunded_minor = 0 }): void => {
  const old = sums.get(key) ?? { count: 0, amount_minor: 0, refunded_minor: 0 };
  sums.set(key, {
    count: old.count + count,
    amount_minor: old.amount_minor + amount_minor,
    refunded_minor: old.refunded_minor + refunded_minor,
  });
};

const isIn = ({ from, to, branch }: SlowPeriod, day: string, of: number): boolean =>
  day >= from && day <= to && (branch === undefined || branch === of);

const orderKeys = (order: SlowOrder, clock: Temporal.ZonedDateTime): Record<"day" | "hour" | "channel" | "branch", string> => ({
  day: clock.toPlainDate().toString(),
  hour: `${clock.dayOfWeek - 1}-${clock.hour}`,
  channel: `${order.type}:${order.channel}`,
  branch: String(order.branch),
});

const clockOf = (zone: string, at: string): Temporal.ZonedDateTime => Temporal.Instant.from(at).toZonedDateTimeISO(zone);

const paymentSums = ({ zone, payments }: SlowHistory, period: SlowPeriod): Sums => {
  const sums: Sums = new Map();
  for (const { at, branch, method, amount, is_refund } of payments) {
    const clock = clockOf(zone, at);
    // Before five o'clock it is still the evening before.
    const day = clock.hour < 5 ? clock.toPlainDate().subtract({ days: 1 }) : clock.toPlainDate();
    if (isIn(period, day.toString(), branch))
      add(sums, method, is_refund ? { refunded_minor: amount } : { count: 1, amount_minor: amount });
  }
  return sums;
};

export const slowSums = (history: SlowHistory, by: ReportKind, period: SlowPeriod): Sums => {
  if (by === "method") return paymentSums(history, period);
  const sums: Sums = new Map();
  for (const order of history.orders) {
    const clock = clockOf(history.zone, order.at);
    if (!isIn(period, clock.toPlainDate().toString(), order.branch)) continue;
    if (by === "dish")
      for (const line of order.lines.filter(({ voided }) => !voided))
        add(sums, String(line.item_id), { count: line.quantity, amount_minor: line.line_total_minor });
    else add(sums, orderKeys(order, clock)[by], { count: 1, amount_minor: order.total });
  }
  return sums;
};

/** Keys whose figures differ, in words. */
export const sumFaults = (found: readonly ReportRow[], expected: Sums): string[] => {
  const say = (one: object | undefined): string => JSON.stringify(one ?? null);
  const rows = new Map(found.map(({ key, count, amount_minor, refunded_minor }) => [key, { count, amount_minor, refunded_minor }]));
  return [...new Set([...rows.keys(), ...expected.keys()])]
    .filter((key) => say(rows.get(key)) !== say(expected.get(key)))
    .map((key) => `${key}: ${say(rows.get(key))} instead of ${say(expected.get(key))}`);
};
