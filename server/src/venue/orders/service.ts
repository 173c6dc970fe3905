/** The verbs of orders: place one, move one, read them. Order, tickets, guest, audit and event are one commit. */
import type { NewOrder, Order, StatusMove } from "@comanda/contract/orders.ts";
import { settledUntil } from "#db/settled.ts";
import type { Ctx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { enqueue } from "#platform/jobs/service.ts";
import { countVisit, type Recognised, recogniseGuest, welcomeGuest } from "#venue/guests/service.ts";
import { fireTickets, queueTickets, voidTickets, withdrawTickets } from "#venue/kitchen/service.ts";
import { readPriceList } from "#venue/menu/service.ts";
import { posConnection, queuePush } from "#venue/pos/service.ts";
import { countSale, saleDay, uncountSale } from "#venue/reports/service.ts";
import { readOrderingSettings } from "#venue/settings/service.ts";
import { presentOrder } from "./present.ts";
import { decideOrder, type PlacedOrder } from "./rules/placing.ts";
import { canMove, kitchenStep } from "./rules/transitions.ts";
import {
  blankCustomer,
  findOrder,
  insertOrder,
  listOrderRows,
  lockOrder,
  newLineIds,
  type OrderFilter,
  type OrderPosition,
  type OrderRow,
  updateOrder,
} from "./store.ts";

/**
 * Everything the decision needs comes in one round trip, everything it causes goes out in another with the commit. The order of a sandbox's
 * sample is given its id.
 */
export const placeOrder = async (ctx: Ctx, wanted: NewOrder, id = newUuid(ctx.now)): Promise<Order> => {
  const contact = { name: wanted.customer_name, phone: wanted.customer_phone, email: wanted.customer_email ?? null };
  const [priceList, settings, guest, lineIds, pos] = await Promise.all([
    readPriceList(ctx, [...new Set(wanted.lines.map((line) => line.item_id))]),
    readOrderingSettings(ctx, wanted.type === "dine_in" ? wanted.table_code || null : null),
    recogniseGuest(ctx, contact),
    newLineIds(ctx, wanted.lines.length),
    posConnection(ctx),
  ]);
  const decided = decideOrder(wanted, { priceList, settings, zone: ctx.tenant.zone, now: ctx.now });
  if ("faults" in decided) throw invalid(decided.faults);
  welcomeGuest(ctx, guest, contact);
  const order = keepOrder(ctx, wanted, decided, { id, guest, lineIds });
  const lines = decided.lines.map(({ station, line }) => ({ station, line }));
  queueTickets(ctx, order.id, lines, decided.timing.held_until);
  countSale(ctx, order);
  const shown = presentOrder(order, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "order.placed",
    subject: { kind: "order", id: order.id },
    after: { total_minor: order.total_minor, type: order.type, channel: order.channel },
  });
  const body = emit(ctx, "order.created", { order: shown });
  // An order that is neither held nor pushed waits for nothing here, and takes no trip of its own for it.
  const startAfter = decided.timing.held_until;
  await Promise.all([
    startAfter && enqueue(ctx, "release-held-tickets", { order_id: order.id }, { startAfter }),
    pos && queuePush(ctx, pos, { orderId: order.id, body }),
  ]);
  return shown;
};

const keepOrder = (
  ctx: Ctx,
  wanted: NewOrder,
  decided: PlacedOrder,
  { id, guest, lineIds }: { id: string; guest: Recognised; lineIds: number[] },
): OrderRow => {
  const order: OrderRow = {
    id,
    status: "placed",
    type: wanted.type,
    channel: wanted.channel ?? "web",
    branch_id: decided.branchId,
    table_shown: decided.table && { id: decided.table.id, name: decided.table.name, code: decided.table.code },
    guest_id: guest.id,
    customer_name: wanted.customer_name,
    customer_phone: wanted.customer_phone,
    customer_email: wanted.customer_email ?? null,
    note: wanted.note || null,
    delivery_address: decided.delivery.address,
    currency: ctx.tenant.currency,
    ...decided.amounts,
    cancel_reason: null,
    lines: decided.lines.map(({ line }, index) => ({ id: lineIds[index] ?? 0, ...line })),
    placed_at: ctx.now,
    scheduled_for: decided.timing.scheduled_for,
    paid_at: null,
    updated_at: ctx.now,
    sold_on: saleDay(ctx, ctx.now),
  };
  insertOrder(ctx, { ...order, table_id: decided.table?.id ?? null, held_until: decided.timing.held_until });
  return order;
};

export const findOrderForChange = async (ctx: Ctx, id: string): Promise<OrderRow> => {
  const order = await lockOrder(ctx, id);
  if (!order) throw fail("not_found");
  return order;
};

/** A reason is kept on the order only by a cancel; on other moves it is in the audit log (open point D105). */
export const moveOrder = (ctx: Ctx, order: OrderRow, { status, reason = null }: StatusMove): Order => {
  if (!canMove(order.status, status)) throw fail("invalid_transition", { from: order.status, to: status });
  if (status === "rejected" || status === "cancelled") uncountSale(ctx, order);
  const cancel_reason = status === "cancelled" ? reason : null;
  updateOrder(ctx, order, { status, cancel_reason });
  const kitchen = kitchenStep(status, reason);
  if (kitchen.step === "fire") fireTickets(ctx, order.id);
  if (kitchen.step === "withdraw") withdrawTickets(ctx, order.id);
  if (kitchen.step === "void") voidTickets(ctx, order.id, kitchen.reason);
  if (status === "completed" && order.guest_id !== null) countVisit(ctx, order.guest_id, order.total_minor);
  const shown = presentOrder({ ...order, status, cancel_reason, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "order.moved",
    subject: { kind: "order", id: order.id },
    before: { status: order.status },
    after: { status },
    reason,
  });
  emit(ctx, "order.status_changed", { order: shown, previous_status: order.status });
  return shown;
};

/** Once per order: a second payment that covers it again changes nothing (open point D161). */
export const markPaid = (ctx: Ctx, order: OrderRow): void => {
  if (order.paid_at !== null) return;
  updateOrder(ctx, order, { paid_at: ctx.now });
  emit(ctx, "order.paid", { order: presentOrder({ ...order, paid_at: ctx.now, updated_at: ctx.now }, ctx.tenant.zone) });
};

export const readOrder = async (ctx: Ctx, id: string): Promise<Order> => {
  const order = await findOrder(ctx, id);
  if (!order) throw fail("not_found");
  return presentOrder(order, ctx.tenant.zone);
};

/**
 * All pages of one walk through changes end at the same moment: what a later page showed beyond it would carry the
 * client's `updated_since` past changes to rows of the pages before.
 */
export const readOrders = async (
  ctx: Ctx,
  filter: OrderFilter,
  position: OrderPosition | null,
  rowCount: number,
): Promise<{ rows: OrderRow[]; settledUntil: string | null }> => {
  const until = filter.updatedSince ? (position?.settledUntil ?? (await settledUntil(ctx.db))) : null;
  return { rows: await listOrderRows(ctx, { ...filter, settledUntil: until }, position, rowCount), settledUntil: until };
};

/** The ids of the orders that were the guest's. */
export const forgetCustomer = async (ctx: Ctx, guestId: number): Promise<string[]> =>
  (await blankCustomer(ctx, guestId)).map(({ id }) => id);
