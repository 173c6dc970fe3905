import { sql } from "kysely";
import { builder, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export const PAYMENT_METHODS = ["cash", "card_terminal", "gift_card", "online", "other"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export type PaymentRow = {
  id: number;
  order_id: string | null;
  reservation_id: string | null;
  method: PaymentMethod;
  amount_minor: number;
  refunded_total_minor: number;
  recorded_by: string;
  recorded_at: Date;
};

const PAYMENT_COLUMNS = sql`id, order_id, reservation_id, method, amount_minor, refunded_total_minor, recorded_by, recorded_at`;
const PAYMENT = sql`select ${PAYMENT_COLUMNS} from payments`;

export const listPaymentsOf = (ctx: Ctx, orderId: string): Promise<PaymentRow[]> =>
  ctx.db.query(sql<PaymentRow>`${PAYMENT} where restaurant_id = ${ctx.tenant.id} and order_id = ${orderId} order by id`);

export const listDepositsOf = (ctx: Ctx, reservationId: string): Promise<PaymentRow[]> =>
  ctx.db.query(sql<PaymentRow>`${PAYMENT} where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId} order by id`);

/** What was paid for each of these reservations and not refunded. */
export const sumDeposits = async (ctx: Ctx, reservationIds: readonly string[]): Promise<Map<string, number>> => {
  const rows = await ctx.db.query(sql<{ reservation_id: string; paid_minor: number }>`
    select reservation_id, sum(amount_minor - refunded_total_minor)::bigint as paid_minor from payments
    where restaurant_id = ${ctx.tenant.id} and reservation_id = any (${[...reservationIds]}::uuid[]) group by reservation_id`);
  return new Map(rows.map(({ reservation_id, paid_minor }) => [reservation_id, paid_minor]));
};

/** What is paid for: an order, the deposit of a reservation, or neither for a gift card and for tickets, which name their payment. */
export type PaidSubject = { order_id?: string } | { reservation_id?: string };

/** Day and branch under which it counts stay as they are when the venue's zone or the booking's branch changes. */
export type NewPayment = {
  method: PaymentMethod;
  amount_minor: number;
  branch_id: number | null;
  service_day: string;
  /** The payment of a bill of which it is a part. */
  bill_payment_id?: number | null;
};

export const insertPayment = async (ctx: Ctx, payment: PaidSubject & NewPayment): Promise<number> => {
  const row = { restaurant_id: ctx.tenant.id, recorded_by: ctx.actor.name, recorded_at: ctx.now, ...payment };
  return (await oneRow(ctx.db.query(builder.insertInto("payments").values(row).returning("id")))).id;
};

export const findReservationOf = (ctx: Ctx, paymentId: number): Promise<{ reservation_id: string | null } | undefined> =>
  first(
    ctx.db.query(sql<{ reservation_id: string | null }>`
      select reservation_id from payments where restaurant_id = ${ctx.tenant.id} and id = ${paymentId}`),
  );

/** The lock keeps two refunds from spending the same remainder. */
export const lockPayment = (ctx: Ctx, id: number): Promise<(PaymentRow & { branch_id: number | null }) | undefined> =>
  first(
    ctx.db.query(sql<PaymentRow & { branch_id: number | null }>`
      select ${PAYMENT_COLUMNS}, branch_id from payments where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`),
  );

export type PaymentLeftRow = { id: number; amount_minor: number; refunded_total_minor: number };

export const listPaymentsLeft = (ctx: Ctx, ids: readonly number[]): Promise<PaymentLeftRow[]> =>
  ctx.db.query(sql<PaymentLeftRow>`
    select id, amount_minor, refunded_total_minor from payments where restaurant_id = ${ctx.tenant.id} and id = any (${[...ids]}::bigint[])`);

/** Clears the refund reasons of these orders and returns their payments. */
export const clearRefundReasons = (ctx: Ctx, orderIds: string[]): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`select id from erase_refund_reasons(${orderIds}::uuid[])`);

/** Clears the refund reasons of payments that belong to no order and no reservation. */
export const clearRefundReasonsOf = (ctx: Ctx, paymentIds: readonly number[]): void =>
  ctx.db.defer(sql`select erase_refund_reasons_of(${[...paymentIds]}::bigint[])`);

export const insertRefund = async (
  ctx: Ctx,
  refund: { payment_id: number; amount_minor: number; reason: string | null; service_day: string },
): Promise<number> => {
  const row = { restaurant_id: ctx.tenant.id, recorded_by: ctx.actor.name, refunded_at: ctx.now, ...refund };
  const { id } = await oneRow(ctx.db.query(builder.insertInto("refunds").values(row).returning("id")));
  ctx.db.defer(sql`
    update payments set refunded_total_minor = refunded_total_minor + ${refund.amount_minor}::bigint
    where restaurant_id = ${ctx.tenant.id} and id = ${refund.payment_id}`);
  return id;
};

export type TakingsSumRow = {
  method: PaymentMethod;
  person: string;
  taken_minor: number;
  refunded_minor: number;
  tips_minor: number;
  payments: number;
};

/**
 * Payments, refunds and tips of a day of service, by method and by the person who recorded them. `span` is the day on the venue's present clock:
 * the index finds them by it, and a venue that changed its zone moved its days by 26 hours at most.
 */
export const sumTakings = (ctx: Ctx, day: string, { from, until }: { from: Date; until: Date }): Promise<TakingsSumRow[]> =>
  ctx.db.query(sql<TakingsSumRow>`
    with moved as (
      select method, recorded_by, amount_minor as taken, 0 as refunded, 0 as tips, 1 as payments from payments
      where restaurant_id = ${ctx.tenant.id} and service_day = ${day}::date
        and recorded_at >= ${from}::timestamptz - interval '2 days' and recorded_at < ${until}::timestamptz + interval '2 days'
      union all
      select p.method, r.recorded_by, 0, r.amount_minor, 0, 0 from refunds r
        join payments p on p.restaurant_id = r.restaurant_id and p.id = r.payment_id
      where r.restaurant_id = ${ctx.tenant.id} and r.service_day = ${day}::date
        and r.refunded_at >= ${from}::timestamptz - interval '2 days' and r.refunded_at < ${until}::timestamptz + interval '2 days'
      union all
      select method, recorded_by, 0, 0, tip_minor, 0 from bill_payments
      where restaurant_id = ${ctx.tenant.id} and service_day = ${day}::date and tip_minor > 0
        and recorded_at >= ${from}::timestamptz - interval '2 days' and recorded_at < ${until}::timestamptz + interval '2 days'
    )
    select method, recorded_by as person, sum(taken)::bigint as taken_minor, sum(refunded)::bigint as refunded_minor,
      sum(tips)::bigint as tips_minor, sum(payments)::integer as payments
    from moved group by method, recorded_by order by method, recorded_by`);

export type RefundReasonRow = { payment_id: number; at: Date; reason: string };

/** What `clearRefundReasons` and `clearRefundReasonsOf` would clear. */
export const listRefundReasons = (ctx: Ctx, subjectIds: string[], paymentIds: readonly number[]): Promise<RefundReasonRow[]> =>
  ctx.db.query(sql<RefundReasonRow>`
    select r.payment_id, r.refunded_at as at, r.reason from payments p
      join refunds r on r.restaurant_id = p.restaurant_id and r.payment_id = p.id
    where p.restaurant_id = ${ctx.tenant.id} and (p.order_id = any(${subjectIds}::uuid[]) or p.reservation_id = any(${subjectIds}::uuid[])
      or p.id = any(${[...paymentIds]}::bigint[])) and r.reason is not null order by r.id`);

/** Lists the payments of these orders and reservations. */
export const listPaymentIds = (ctx: Ctx, subjectIds: string[]): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    select id from payments where restaurant_id = ${ctx.tenant.id} and (order_id = any(${subjectIds}::uuid[]) or reservation_id = any(${subjectIds}::uuid[]))
    order by id`);
