/** What staff do with open orders: read the board, move an order as they saw it, take payments. */
import type { Board, BoardOrder, OrderDetails } from "@comanda/contract/console/orders.ts";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";
import { readChangedSubjects, readChangePosition } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { canContinue, formatPosition, type PagePosition, parsePosition } from "#lib/page-position.ts";
import { serviceDay, serviceDaySpan } from "#lib/service-day.ts";
import { formatInstant } from "#lib/time-zone.ts";
import { changedBy, readSteps, stateChanged } from "#platform/activity/audit/service.ts";
import { alarmManagers } from "#platform/messages/notifications/service.ts";
import { listTicketsOf } from "#venue/kitchen/service.ts";
import { payOrderWithCard, refundToSource } from "#venue/orders/gift-cards/service/payments.ts";
import { listPaymentsOf, markPaidIfCovered, readOrderPayments, recordPayment } from "#venue/orders/payments/service.ts";
import { findOrders, readBoardOrders, readOpenOrders } from "#venue/orders/service/reads.ts";
import { findOrderForChange, type MoveWithStock, moveOrder, type StruckLine, strikeLine } from "#venue/orders/service.ts";
import { listBranchNames, readOrderTypes } from "#venue/settings/service.ts";
import { alarmLimits, isNewReading, parseSearch } from "./rules.ts";
import { claimAlarm, findReading, saveReading } from "./store.ts";

const OPEN_ORDERS_MAX = 500;
const FOUND_ORDERS_MAX = 50;
const STEPS_MAX = 100;
/** A search for closed orders looks this far back. */
const SEARCH_MS = 7 * 24 * 60 * 60 * 1000;
/** An order may be dated by the database's clock, which can be ahead of the caller's. */
const CLOCK_SKEW_MS = 60_000;
const ALL = "all";

/**
 * The position is read before the orders: what commits in between is sent again with the next call, and nothing is missed. `after` asks for
 * the orders that changed since; an unknown or old position gets the whole board.
 */
export const readBoard = async (ctx: Ctx, after: string | undefined): Promise<Board> => {
  const known = after === undefined ? null : parsePosition(after);
  const [present, reading, changed, branches, order_types] = await Promise.all([
    readChangePosition(ctx),
    findReading(ctx),
    known === null ? [ALL] : readChangedSubjects(ctx, "orders", known.number),
    listBranchNames(ctx),
    readOrderTypes(ctx),
  ]);
  const position: PagePosition = { ...present, at: ctx.now };
  const isWhole = known === null || changed.includes(ALL) || !canContinue(known, position);
  const orders = isWhole ? await readOpenOrders(ctx, OPEN_ORDERS_MAX + 1) : await readBoardOrders(ctx, changed);
  const isCut = orders.length > OPEN_ORDERS_MAX;
  const shown = { number: present.number, read_at: ctx.now };
  const hasWaiting = orders.some(({ order }) => order.status === "placed");
  // A cut board hides the newest orders: they count as unseen.
  if (!isCut && isNewReading(reading, shown, hasWaiting)) saveReading(ctx, shown);
  return {
    position: formatPosition(position),
    is_whole: isWhole,
    orders: orders.slice(0, OPEN_ORDERS_MAX),
    is_cut: isCut,
    branches,
    order_types,
    zone: ctx.tenant.zone,
    now: ctx.now.toISOString(),
  };
};

/** Mails the managers about orders that wait and were shown on no screen. */
export const tellOfUnseenOrders = async (ctx: Ctx): Promise<void> => {
  const unseen = await claimAlarm(ctx, alarmLimits(ctx.now));
  if (unseen) await alarmManagers(ctx, { count: unseen.count, since: formatInstant(ctx.tenant.zone, unseen.since).slice(11, 16) });
};

type BoardSearch = { search: string | null; isClosed: boolean; branchId: number | null };

/** Open orders and those of the last week by what is searched for; without a search, those of this day of service that are closed. */
export const searchBoard = async (ctx: Ctx, { search, isClosed, branchId }: BoardSearch): Promise<BoardOrder[]> => {
  const today = serviceDaySpan(ctx.tenant.zone, serviceDay(ctx.tenant.zone, ctx.now));
  const until = new Date(ctx.now.getTime() + CLOCK_SKEW_MS);
  const lastWeek = new Date(ctx.now.getTime() - SEARCH_MS);
  const named = search === null ? { number: null, name: null, digits: null, table: null } : parseSearch(search);
  if (named === null) return [];
  const from = search === null ? (today?.from ?? lastWeek) : lastWeek;
  return findOrders(ctx, { from, until, isClosed, branchId, ...named }, FOUND_ORDERS_MAX);
};

const readOne = async (ctx: Ctx, id: string): Promise<BoardOrder> => {
  const [order] = await readBoardOrders(ctx, [id]);
  if (!order) throw apiError("not_found");
  return order;
};

export const readDetails = async (ctx: Ctx, id: string): Promise<OrderDetails> => {
  const [order, steps, tickets, payments] = await Promise.all([
    readOne(ctx, id),
    readSteps(ctx, { subject: id }, STEPS_MAX),
    listTicketsOf(ctx, id),
    readOrderPayments(ctx, id),
  ]);
  return { order, steps, tickets: tickets.map(presentTicket), payments };
};

const orderChanged = async (ctx: Ctx, id: string): Promise<ApiError> =>
  stateChanged(ctx, { subject: id }, { order: await readOne(ctx, id) });

type SeenMove = MoveWithStock & { seen_status: OrderStatus };

/** Compare and set: when two people tap at once, one moves the order, and the other gets the name of the first. */
export const moveSeenOrder = async (ctx: Ctx, id: string, { seen_status, ...move }: SeenMove): Promise<BoardOrder> => {
  const order = await findOrderForChange(ctx, id);
  if (order.status !== seen_status) throw await orderChanged(ctx, id);
  await moveOrder(ctx, order, move);
  return readOne(ctx, id);
};

type SeenStrike = Omit<StruckLine, "line" | "quantity"> & { seen_status: OrderStatus; part?: { quantity: number; of: number } };

/**
 * Two people who strike the same line, or portions of it, strike once; two who strike different lines strike both. The body is read after
 * the line was found.
 */
export const strikeSeenLine = async (
  ctx: Ctx,
  { orderId, lineId }: { orderId: string; lineId: number },
  read: () => SeenStrike,
): Promise<BoardOrder> => {
  const order = await findOrderForChange(ctx, orderId);
  const line = order.lines.find(({ id }) => id === lineId);
  if (!line) throw apiError("not_found");
  const { seen_status, part, ...struck } = read();
  if (part && part.quantity > part.of) throw validationError({ "part.quantity": [`At most ${part.of} can be struck.`] });
  const isChanged = order.status !== seen_status || line.voided || (part !== undefined && part.of !== line.quantity);
  if (isChanged) throw await orderChanged(ctx, orderId);
  await markPaidIfCovered(ctx, await strikeLine(ctx, order, { line, ...struck, ...(part && { quantity: part.quantity }) }));
  return readOne(ctx, orderId);
};

type CounterPayment = { method: "cash" | "card_terminal" | "other"; amount_minor: number; seen_paid_minor: number };

type SeenAmount = { amount_minor: number; seen_paid_minor: number };

/** Locks the order. Two people who take the same payment at once record it once. */
const assertStillDue = async (ctx: Ctx, id: string, { amount_minor, seen_paid_minor }: SeenAmount): Promise<void> => {
  await findOrderForChange(ctx, id);
  const { order, paid_minor } = await readOne(ctx, id);
  if (paid_minor !== seen_paid_minor) throw await paymentChanged(ctx, id);
  const dueMinor = Math.max(0, order.total_minor - paid_minor);
  if (amount_minor > dueMinor) throw validationError({ amount_minor: [`At most ${dueMinor} is due.`] });
};

export const takeSeenPayment = async (ctx: Ctx, id: string, { seen_paid_minor, ...payment }: CounterPayment): Promise<BoardOrder> => {
  await assertStillDue(ctx, id, { seen_paid_minor, ...payment });
  await recordPayment(ctx, id, payment);
  return readOne(ctx, id);
};

export const paySeenWithCard = async (ctx: Ctx, id: string, payment: SeenAmount & { code: string }): Promise<BoardOrder> => {
  await assertStillDue(ctx, id, payment);
  await payOrderWithCard(ctx, id, payment);
  return readOne(ctx, id);
};

/** The activity log names payments apart from their order, so the last payment names the person who was first. */
const paymentChanged = async (ctx: Ctx, id: string): Promise<ApiError> => {
  const [order, payments] = await Promise.all([readOne(ctx, id), listPaymentsOf(ctx, id)]);
  const last = payments.at(-1);
  return changedBy({ order }, last ? { who: last.recorded_by, at: last.recorded_at } : null);
};

const refundChanged = async (ctx: Ctx, orderId: string, paymentId: number): Promise<ApiError> =>
  stateChanged(ctx, { area: "payment", subject: paymentId }, { order: await readOne(ctx, orderId) });

/** The payment must belong to the order of the path. Of two refunds that were decided at once, one is made. */
export const refundOrder = async (
  ctx: Ctx,
  { orderId, paymentId }: { orderId: string; paymentId: number },
  { seen_refunded_minor, ...refund }: { amount_minor: number; reason: string; seen_refunded_minor: number },
): Promise<BoardOrder> => {
  await findOrderForChange(ctx, orderId);
  const payment = (await listPaymentsOf(ctx, orderId)).find(({ id }) => id === paymentId);
  if (!payment) throw apiError("not_found");
  if (payment.refunded_total_minor !== seen_refunded_minor) throw await refundChanged(ctx, orderId, paymentId);
  await refundToSource(ctx, paymentId, refund);
  return readOne(ctx, orderId);
};

type OrderTicket = OrderDetails["tickets"][number];

type TicketTimes = { id: number; station: string; state: string; release_at: Date | null; updated_at: Date };

const presentTicket = ({ id, station, state, release_at, updated_at }: TicketTimes): OrderTicket => ({
  id,
  station,
  // A constraint of the table allows these states alone.
  state: state as OrderTicket["state"],
  release_at: release_at?.toISOString() ?? null,
  updated_at: updated_at.toISOString(),
});
