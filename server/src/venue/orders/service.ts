/** Places and moves orders. One commit writes the order, its tickets, the guest, the audit entry and the event. */
import type { StockChoice } from "@comanda/contract/console/stock-kinds.ts";
import type { QuoteAnswer } from "@comanda/contract/venue/order-quote.ts";
import type { Order, OrderLine, StatusMove } from "@comanda/contract/venue/orders.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { serviceDay } from "#lib/service-day.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { enqueue, type JobData } from "#platform/jobs/service.ts";
import { addVisit, createGuestIfNew, findGuestByContact } from "#venue/guests/service.ts";
import {
  closeTickets,
  fireTickets,
  isCooked,
  type KitchenTicketRow,
  lastDoneAt,
  listTicketsOf,
  lockTicketsOf,
  queueTickets,
  releaseHeldTickets,
  strikeOnTicket,
  voidTickets,
  withdrawTickets,
} from "#venue/kitchen/service.ts";
import { countDown, giveBack } from "#venue/menu/menu-today/service.ts";
import { readPriceList, readTaxKeys } from "#venue/menu/service/items.ts";
import { closeIfSettled, lockTablesOf, openTableBill } from "#venue/orders/bills/service.ts";
import { requestOrderReview } from "#venue/orders/review-requests/service.ts";
import { addSale, correctSale, saleTime, subtractSale } from "#venue/reports/service.ts";
import { findOrderingSettings, readTableCodes } from "#venue/settings/service.ts";
import { returnStock, takeStock } from "#venue/stock/service/booking.ts";
import { presentOrder, presentQuote } from "./present.ts";
import {
  decideOrder,
  type OrderContext,
  type PlacedOrder,
  type PlacingContext,
  type PricedOrder,
  quoteOrder,
  type WantedOrder,
} from "./rules/decide-order.ts";
import { orderErrors } from "./rules/refusals.ts";
import { countedPortions, portionsOf, stockNeedsOf } from "./rules/stock-needs.ts";
import { amountsOf, isLastLine, isLeft, splitLine } from "./rules/strike-line.ts";
import { canMove, kitchenStep, readyAt, releasedState } from "./rules/transitions.ts";
import { priceCausesOf, verdictsOf } from "./rules/verdicts.ts";
import {
  clearCustomer,
  findLastAddress,
  insertOrder,
  joinBillOfTable,
  keepRatedOrder,
  lockOrder,
  lockOrdersById,
  lockOrdersOfGuest,
  newLineIds,
  type OrderRow,
  updateBillOfOrders,
  updateLines,
  updateOrder,
  updateOrderGuest,
  updateTableOfOrders,
} from "./store.ts";

export { keepRatedOrder, lockOrdersById, lockOrdersOfGuest, updateBillOfOrders, updateOrderGuest, updateTableOfOrders };

/** `id`: for a sandbox's sample order. `isTest`: taken at any hour and in any load, and never counted as a sale. */
export type PlacingOptions = { id?: string; isTest?: boolean };

/** One round trip reads all inputs of the decision; a second one sends all writes with the commit. */
export const placeOrder = async (
  ctx: Ctx,
  wanted: WantedOrder,
  { id = newUuid(ctx.now), isTest = false }: PlacingOptions = {},
): Promise<Order> => {
  const { customer_name: name, customer_phone: phone, customer_email: email = null } = wanted;
  // An order that staff take for a table may be without a guest.
  const contact = name === null || phone === null ? null : { name, phone, email };
  const [context, guest, lineIds] = await Promise.all([
    readOrderContext(ctx, wanted),
    contact && findGuestByContact(ctx, contact),
    newLineIds(ctx, wanted.lines.length),
  ]);
  const decided = decideOrder(wanted, isTest ? atAnyHour(context) : context);
  if ("errors" in decided) throw validationError(orderErrors(decided.errors));
  if (guest && contact) createGuestIfNew(ctx, guest, contact);
  const stockNeeds = isTest ? null : stockNeedsOf(wanted, decided, lineIds, context.priceList.recipe);
  const order = insertPlacedOrder(ctx, wanted, decided, { id, guestId: guest?.id ?? null, lineIds, isTest, stockNeeds });
  // Counts are locked after the number of the day, and before the sales.
  await countDown(ctx, countedPortions(order.lines, context.priceList.items));
  const lines = decided.lines.map(({ station, line }, index) => ({ station, line: { id: lineIds[index] ?? 0, ...line } }));
  queueTickets(ctx, order.id, lines, decided.timing.held_until);
  addSale(ctx, order);
  const shown = presentOrder(order, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "order.placed",
    subject: { kind: "order", id: order.id },
    after: { total_minor: order.total_minor, type: order.type, channel: order.channel },
  });
  emit(ctx, "order.created", { order: shown });
  const startAfter = decided.timing.held_until;
  if (startAfter) await enqueue(ctx, "release-held-tickets", { order_id: order.id }, { startAfter });
  return shown;
};

const readOrderContext = async (
  ctx: Ctx,
  { lines, type, table_code }: Pick<WantedOrder, "lines" | "type" | "table_code">,
): Promise<PlacingContext> => {
  const itemIds = [...new Set(lines.map(({ item_id }) => item_id))];
  const optionIds = [...new Set(lines.flatMap(({ option_ids = [] }) => option_ids))];
  const [priceList, settings] = await Promise.all([
    readPriceList(ctx, { itemIds, optionIds }),
    findOrderingSettings(ctx, type === "dine_in" ? table_code || null : null),
  ]);
  return { priceList, settings, zone: ctx.tenant.zone, now: ctx.now };
};

const atAnyHour = ({ settings, ...context }: OrderContext): OrderContext => ({
  ...context,
  settings: { ...settings, loads: [], branches: settings.branches.map((branch) => ({ ...branch, hours: null, closing_days: [] })) },
});

/** What an order would cost, and what would be refused. */
export const priceWantedOrder = async (ctx: Ctx, wanted: WantedOrder): Promise<PricedOrder> =>
  quoteOrder(wanted, await readOrderContext(ctx, wanted));

/** Prices an order for a program, with the verdict of every rule. Nothing is written. */
export const quoteNewOrder = async (ctx: Ctx, wanted: WantedOrder): Promise<QuoteAnswer> => {
  const [context, tableCodes] = await Promise.all([readOrderContext(ctx, wanted), wanted.type === "dine_in" ? readTableCodes(ctx) : []]);
  const quoted = quoteOrder(wanted, context);
  const verdicts = verdictsOf(wanted, quoted, { ...context, tableCodes });
  return presentQuote(quoted, { verdicts, causes: priceCausesOf(wanted, quoted, context) }, ctx.tenant);
};

/** Returns the address of the guest's last delivery. */
export const readLastAddress = async (ctx: Ctx, guestId: number): Promise<Order["delivery_address"]> =>
  (await findLastAddress(ctx, guestId))?.delivery_address ?? null;

type PlacedDetails = {
  id: string;
  guestId: number | null;
  lineIds: number[];
  isTest: boolean;
  stockNeeds: OrderRow["stock_needs"];
};

const insertPlacedOrder = (
  ctx: Ctx,
  wanted: WantedOrder,
  decided: PlacedOrder,
  { id, guestId, lineIds, isTest, stockNeeds }: PlacedDetails,
): OrderRow => {
  const order: OrderRow = {
    id,
    status: "placed",
    type: wanted.type,
    channel: wanted.channel ?? "web",
    branch_id: decided.branchId,
    table_snapshot: decided.table && { id: decided.table.id, name: decided.table.name, code: decided.table.code },
    guest_id: guestId,
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
    ...(isTest ? { sold_on: null, sold_hour: null } : saleTime(ctx, ctx.now)),
    stock_needs: stockNeeds,
    bill_id: null,
  };
  const { held_until, promised_at, moment } = decided.timing;
  const billed = held_until === null && !isTest ? order.table_snapshot : null;
  if (billed) openTableBill(ctx, billed, order.branch_id);
  const row = { ...order, table_id: decided.table?.id ?? null, held_until, promised_at };
  insertOrder(ctx, row, { serviceDay: serviceDay(ctx.tenant.zone, moment), billTableId: billed?.id ?? null });
  return order;
};

export const findOrderForChange = async (ctx: Ctx, id: string): Promise<OrderRow> => {
  const order = await lockOrder(ctx, id);
  if (!order) throw apiError("not_found");
  return order;
};

/** Never before the last change: a transaction that began earlier may be the later one to lock the order. */
const changeTime = (ctx: Ctx, order: OrderRow): Date => new Date(Math.max(order.updated_at.getTime(), ctx.now.getTime()));

/** `stock`: what happens to the ingredients when the kitchen has begun. Without it they are wasted. */
export type MoveWithStock = StatusMove & { stock?: StockChoice };

/** Only a cancel stores its reason on the order. For other moves the audit log has it (open point D105). */
export const moveOrder = async (ctx: Ctx, order: OrderRow, { status, reason = null, stock }: MoveWithStock): Promise<Order> => {
  if (!canMove(order.status, status)) throw apiError("invalid_transition", { from: order.status, to: status });
  const isTakenBack = status === "rejected" || status === "cancelled";
  const isFinished = isTakenBack || status === "completed";
  if (isFinished && order.bill_id !== null) lockTablesOf(ctx, [order.bill_id]);
  const takenBack = isTakenBack ? await takeBack(ctx, order, { isUnbegun: await isUnbegun(ctx, order), stock }) : {};
  if (isTakenBack) subtractSale(ctx, order);
  if (status === "accepted") await takeStock(ctx, order);
  const cancel_reason = status === "cancelled" ? reason : null;
  const updated_at = changeTime(ctx, order);
  updateOrder(ctx, order, { status, cancel_reason, updated_at });
  if (isFinished && order.bill_id !== null) closeIfSettled(ctx, order.bill_id);
  const kitchen = kitchenStep(status, reason);
  if (kitchen.step === "fire") fireTickets(ctx, order.id);
  if (kitchen.step === "withdraw") withdrawTickets(ctx, order.id);
  if (kitchen.step === "close") closeTickets(ctx, order.id);
  if (kitchen.step === "void") voidTickets(ctx, order.id, kitchen.reason);
  if (status === "completed" && order.guest_id !== null) addVisit(ctx, order.guest_id, order.total_minor);
  if (status === "completed") requestOrderReview(ctx, order.id, { phone: order.customer_phone, email: order.customer_email });
  const shown = presentOrder({ ...order, status, cancel_reason, updated_at }, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "order.moved",
    subject: { kind: "order", id: order.id },
    before: { status: order.status },
    after: { status, ...takenBack },
    reason,
  });
  emit(ctx, "order.status_changed", { order: shown, previous_status: order.status });
  return shown;
};

/**
 * What an order, or one line of it, took goes back: portions and ingredients that the kitchen has not begun with, ingredients that it has
 * begun with by choice. Returns what the activity log says of the ingredients. Portions are locked before the stock.
 */
const takeBack = async (
  ctx: Ctx,
  order: OrderRow,
  { line, isUnbegun: isBack, stock = "waste" }: { line?: OrderLine; isUnbegun: boolean; stock?: StockChoice | undefined },
): Promise<{ stock?: StockChoice }> => {
  if (isBack) await giveBack(ctx, portionsOf(line ? [line] : order.lines), order.placed_at);
  if (order.stock_needs === null || order.status === "placed") return {};
  if (isBack || stock === "back") await returnStock(ctx, order, line?.id ?? null);
  return { stock: isBack ? "back" : stock };
};

export type StruckLine = { line: OrderLine; reason: string; quantity?: number; stock?: StockChoice };

/** The line, or as many of its portions, stays on the order, struck. All else follows. The caller has locked the order. */
export const strikeLine = async (ctx: Ctx, before: OrderRow, struckLine: StruckLine): Promise<OrderRow> => {
  const { line: whole, reason, quantity = whole.quantity, stock } = struckLine;
  const part = quantity < whole.quantity ? { id: (await newLineIds(ctx, 1))[0] ?? 0, quantity } : null;
  const order = part ? splitLine(before, whole, part) : before;
  const line = order.lines.find(({ id }) => id === part?.id) ?? whole;
  if (isLastLine(order)) throw validationError({ line: ["It is the last line. Cancel the order instead."] });
  const [{ charges }, taxKeys, isKitchenFree] = await Promise.all([
    findOrderingSettings(ctx, null),
    readTaxKeys(ctx, [...new Set(order.lines.map(({ item_id }) => item_id))]),
    isUnbegun(ctx, order),
  ]);
  const left = order.lines.filter((one) => isLeft(one) && one.id !== line.id);
  const amounts = amountsOf(before, left, { charges, taxKeys, zone: ctx.tenant.zone });
  const lines = order.lines.map((one) => (one.id === line.id ? { ...one, voided: true } : one));
  const struck: OrderRow = { ...order, ...amounts, lines, updated_at: changeTime(ctx, order) };
  const takenBack = await takeBack(ctx, order, { line, isUnbegun: isKitchenFree, stock });
  const tickets = await strikeOnTicket(ctx, order.id, { line: whole, part }, reason);
  updateLines(ctx, order.id, struck);
  correctSale(ctx, before, struck);
  recordAudit(ctx, {
    action: "order.line_struck",
    subject: { kind: "order", id: order.id },
    before: { total_minor: before.total_minor },
    after: { total_minor: struck.total_minor, line_id: line.id, item_id: line.item_id, quantity: line.quantity, ...takenBack },
    reason,
  });
  // What was cooked before the strike has its job from the last bump.
  if (!isCooked(tickets.before)) await planReady(ctx, order, tickets.after, null);
  return struck;
};

/** Whether the kitchen has no ticket of it yet. Tickets of an accepted order are fired, held until later, or void with their last line. */
const isUnbegun = async (ctx: Ctx, { id, status }: OrderRow): Promise<boolean> => {
  if (status !== "accepted") return status === "placed";
  return (await listTicketsOf(ctx, id)).every(({ state }) => state === "held" || state === "voided");
};

/** The kitchen begins with an order for later. The lock keeps a concurrent accept from leaving a ticket queued. */
export const releaseOrder = async (ctx: Ctx, id: string): Promise<void> => {
  const order = await lockOrder(ctx, id);
  if (!order) return;
  if (order.table_snapshot !== null && order.bill_id === null && releasedState(order.status) !== "withdrawn") {
    openTableBill(ctx, order.table_snapshot, order.branch_id);
    joinBillOfTable(ctx, id, order.table_snapshot.id);
  }
  await releaseHeldTickets(ctx, id, releasedState(order.status));
};

type OrderInKitchen = Pick<OrderRow, "id" | "status">;

/**
 * Does nothing while something is to be cooked. `tickets` are all of the order, as they are after the change. The job compares the last
 * bump of all of them, because a transaction that began earlier may be the later one to lock the order. The caller has locked the order.
 */
export const planReady = async (
  ctx: Ctx,
  { id, status }: OrderInKitchen,
  tickets: readonly KitchenTicketRow[],
  screenId: number | null,
): Promise<void> => {
  const lastBump = lastDoneAt(tickets);
  if (status !== "accepted" || lastBump === null || !isCooked(tickets)) return;
  const data = { order_id: id, done_at: lastBump.toISOString(), screen_id: screenId };
  await enqueue(ctx, "finish-cooking", data, { startAfter: readyAt(lastBump, ctx.now) });
};

/**
 * The kitchen has bumped the last ticket. Nothing happens when a ticket was recalled since, when one was bumped again later (that bump has
 * a job of its own), or when the order has moved on.
 */
export const finishCooking = async (ctx: Ctx, { order_id, done_at }: Omit<JobData["finish-cooking"], "screen_id">): Promise<void> => {
  const order = await lockOrder(ctx, order_id);
  if (order?.status !== "accepted") return;
  const tickets = await lockTicketsOf(ctx, order_id);
  if (isCooked(tickets) && lastDoneAt(tickets)?.toISOString() === done_at) await moveOrder(ctx, order, { status: "ready" });
};

/** Once per order: a second payment that covers it again changes nothing (open point D161). */
export const markPaid = (ctx: Ctx, order: OrderRow): void => {
  if (order.paid_at !== null) return;
  const paid = { paid_at: ctx.now, updated_at: changeTime(ctx, order) };
  updateOrder(ctx, order, paid);
  if (order.bill_id !== null) closeIfSettled(ctx, order.bill_id);
  emit(ctx, "order.paid", { order: presentOrder({ ...order, ...paid }, ctx.tenant.zone) });
};

/** Returns the ids of the guest's orders. */
export const eraseCustomer = async (ctx: Ctx, guestId: number): Promise<string[]> => {
  await lockOrdersOfGuest(ctx, guestId);
  return (await clearCustomer(ctx, guestId)).map(({ id }) => id);
};
