import { sql } from "kysely";
import { first, only, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export const PAYMENT_METHODS = ["cash", "card_terminal", "gift_card", "online"] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export type PaymentRow = { id: number; order_id: string | null; method: string; amount_minor: number; refunded_total_minor: number };

export const listPaymentsOf = (ctx: Ctx, orderId: string): Promise<PaymentRow[]> =>
  ctx.db.query(
    q
      .selectFrom("payments")
      .select(["id", "order_id", "method", "amount_minor", "refunded_total_minor"])
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("order_id", "=", orderId)
      .orderBy("id"),
  );

export const insertPayment = async (
  ctx: Ctx,
  payment: { order_id: string; method: PaymentMethod; amount_minor: number },
): Promise<number> => {
  const row = { restaurant_id: ctx.tenant.id, recorded_by: ctx.actor.name, recorded_at: ctx.now, ...payment };
  return (await only(ctx.db.query(q.insertInto("payments").values(row).returning("id")))).id;
};

/** Locked, so that two refunds cannot both take the last of it. */
export const lockPayment = (ctx: Ctx, id: number): Promise<PaymentRow | undefined> =>
  first(
    ctx.db.query(
      sql<PaymentRow>`select id, order_id, method, amount_minor, refunded_total_minor from payments
        where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`,
    ),
  );

/** The payments of these orders; the reasons of their refunds are blanked. */
export const blankRefundReasons = (ctx: Ctx, orderIds: string[]): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`select id from erase_refund_reasons(${orderIds}::uuid[])`);

export const insertRefund = async (
  ctx: Ctx,
  refund: { payment_id: number; amount_minor: number; reason: string | null },
): Promise<number> => {
  const row = { restaurant_id: ctx.tenant.id, recorded_by: ctx.actor.name, refunded_at: ctx.now, ...refund };
  const { id } = await only(ctx.db.query(q.insertInto("refunds").values(row).returning("id")));
  ctx.db.later(sql`
    update payments set refunded_total_minor = refunded_total_minor + ${refund.amount_minor}::bigint
    where restaurant_id = ${ctx.tenant.id} and id = ${refund.payment_id}`);
  return id;
};
