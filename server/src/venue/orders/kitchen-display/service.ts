/** What the kitchen does on its screen: reads its tickets, marks lines, bumps and recalls, takes note of what was struck, sells out a dish. */
import type { Kitchen, KitchenTicket, TicketChange } from "@comanda/contract/console/kitchen.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { readChangedSubjects, readChangePosition } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { canContinue, formatPosition, type PagePosition, parsePosition } from "#lib/page-position.ts";
import type { PairedScreen } from "#lib/principal.ts";
import { serviceDay, serviceDaySpan } from "#lib/service-day.ts";
import { recordAudit, stateChanged } from "#platform/activity/audit/service.ts";
import { noteScreen, presentScreen, readScreenParts } from "#venue/kitchen/screens/service.ts";
import {
  type KitchenTicketRow,
  listTicketsOfOrders,
  lockTicketsOf,
  readDoneTickets,
  readFiredTicket,
  readKitchenOrders,
  saveTicket,
  stationOf,
} from "#venue/kitchen/service.ts";
import { sellOutToday } from "#venue/menu/menu-today/service.ts";
import { readAllergens, readStationOf } from "#venue/menu/service/items.ts";
import { readBoardOrders } from "#venue/orders/service/reads.ts";
import { findOrderForChange, planReady } from "#venue/orders/service.ts";
import { type DishAllergens, presentKitchenTicket } from "./present.ts";
import { changeOf, isCookedBy, isOpenTicket, isShownBy } from "./rules.ts";

const OPEN_ORDERS_MAX = 300;
const DONE_MAX = 50;
const ALL = "all";

/**
 * Read with each ticket, not kept on it: an allergen that the menu named wrongly or too late must be right on the screen too. A removed
 * dish keeps its allergens.
 */
const readAllergensOf = (ctx: Ctx, tickets: readonly Pick<KitchenTicketRow, "lines">[]): Promise<DishAllergens> =>
  readAllergens(ctx, [...new Set(tickets.flatMap(({ lines }) => lines.flatMap(({ item_id }) => item_id ?? [])))]);

const presentAll = async (ctx: Ctx, screen: PairedScreen, rows: readonly KitchenTicketRow[]): Promise<KitchenTicket[]> => {
  const ofOrder = Map.groupBy(rows, ({ order_id }) => order_id);
  const [boardOrders, allergens] = await Promise.all([readBoardOrders(ctx, [...ofOrder.keys()]), readAllergensOf(ctx, rows)]);
  const orders = new Map(boardOrders.map((order) => [order.order.id, order]));
  const shown = rows.flatMap((row) => {
    const order = orders.get(row.order_id);
    return order ? [presentKitchenTicket(row, order, ofOrder.get(row.order_id) ?? [], allergens)] : [];
  });
  return shown.filter((ticket) => isShownBy(screen, ticket));
};

const readParts = async (ctx: Ctx, screen: PairedScreen): Promise<Pick<Kitchen, "branches" | "missing">> => {
  const { branches, missing } = await readScreenParts(ctx, screen);
  return { branches: screen.branch_id === null && branches.length > 1 ? branches : [], missing };
};

/** A ticket from before the previous day of service is not cooked any more, and would be shown instead of a new one. */
const firstFiredAt = ({ tenant, now }: Ctx): Date => {
  const today = serviceDaySpan(tenant.zone, serviceDay(tenant.zone, now))?.from ?? now;
  const beforeToday = new Date(today.getTime() - 1);
  return serviceDaySpan(tenant.zone, serviceDay(tenant.zone, beforeToday))?.from ?? today;
};

/**
 * As for the orders board, the position is read before the tickets: what commits in between is sent again with the next call. More changed
 * orders than the limit are answered with the whole kitchen: a screen drops the tickets of every order that is named as changed.
 */
export const readKitchen = async (ctx: Ctx, screen: PairedScreen, after: string | undefined): Promise<Kitchen> => {
  noteScreen(ctx, screen);
  const known = after === undefined ? null : parsePosition(after);
  const [present, changed] = await Promise.all([
    readChangePosition(ctx),
    known === null ? [ALL] : readChangedSubjects(ctx, "tickets", known.number),
  ]);
  const position: PagePosition = { ...present, at: ctx.now };
  const isWhole = known === null || changed.includes(ALL) || changed.length > OPEN_ORDERS_MAX || !canContinue(known, position);
  const since = firstFiredAt(ctx);
  const { ids, isCut } = isWhole ? await readKitchenOrders(ctx, screen, since, OPEN_ORDERS_MAX) : { ids: changed, isCut: false };
  const [rows, parts] = await Promise.all([ids.length === 0 ? [] : listTicketsOfOrders(ctx, ids), readParts(ctx, screen)]);
  const shown = await presentAll(ctx, screen, rows);
  return {
    position: formatPosition(position),
    is_whole: isWhole,
    changed_orders: isWhole ? [] : changed,
    tickets: shown.filter((ticket) => isOpenTicket(ticket) && new Date(ticket.fired_at) >= since),
    is_cut: isCut,
    screen: presentScreen(screen),
    ...parts,
    venue_name: screen.venue_name,
    default_language: ctx.tenant.default_language,
    zone: ctx.tenant.zone,
    now: ctx.now.toISOString(),
  };
};

export const listDoneTickets = async (ctx: Ctx, screen: PairedScreen): Promise<KitchenTicket[]> => {
  const closed = await readDoneTickets(ctx, screen, DONE_MAX);
  const place = new Map(closed.map(({ id }, index) => [id, index]));
  const rows = closed.length === 0 ? [] : await listTicketsOfOrders(ctx, [...new Set(closed.map(({ order_id }) => order_id))]);
  const done = (await presentAll(ctx, screen, rows)).filter(({ id }) => place.has(id));
  return done.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
};

const AUDIT: Record<TicketChange["change"], string | null> = {
  bump: "ticket.bumped",
  recall: "ticket.recalled",
  acknowledge: "ticket.acknowledged",
  priority: "ticket.prioritised",
  no_priority: "ticket.unprioritised",
  // Marks while cooking: the bump is the fact.
  line_done: null,
  line_open: null,
};

type LockedTicket = { ticket: KitchenTicketRow; tickets: KitchenTicketRow[]; order: BoardOrder; allergens: DishAllergens };

/**
 * The order is locked first, as in every change of an order. A ticket that the screen does not show does not exist for it. A line keeps its
 * dish, so the allergens of the lines that were read before the lock are those of the locked ones.
 */
const lockShownTicket = async (ctx: Ctx, screen: PairedScreen, id: number): Promise<LockedTicket> => {
  const found = await readFiredTicket(ctx, id);
  if (found === null) throw apiError("not_found");
  const { order_id: orderId } = found;
  await findOrderForChange(ctx, orderId);
  const [tickets, [order], allergens] = await Promise.all([
    lockTicketsOf(ctx, orderId),
    readBoardOrders(ctx, [orderId]),
    readAllergensOf(ctx, [found]),
  ]);
  const ticket = tickets.find((one) => one.id === id);
  if (!ticket || !order || !isShownBy(screen, { branch_id: order.order.branch_id, station: ticket.station })) throw apiError("not_found");
  return { ticket, tickets, order, allergens };
};

const firedOf = (tickets: readonly KitchenTicketRow[]): KitchenTicketRow[] => tickets.filter(({ fired_at }) => fired_at !== null);

const ticketChanged = (ctx: Ctx, { ticket, tickets, order, allergens }: LockedTicket): Promise<ApiError> =>
  stateChanged(
    ctx,
    { area: "ticket", subject: ticket.order_id },
    { ticket: presentKitchenTicket(ticket, order, firedOf(tickets), allergens) },
  );

/** The body is read after the ticket was found. */
export const changeTicket = async (ctx: Ctx, screen: PairedScreen, id: number, read: () => TicketChange): Promise<KitchenTicket> => {
  const locked = await lockShownTicket(ctx, screen, id);
  const { ticket, tickets, order, allergens } = locked;
  const wanted = read();
  const changed = changeOf(ticket, wanted, ctx.now);
  if (changed === "unchanged") return presentKitchenTicket(ticket, order, firedOf(tickets), allergens);
  if ("refused" in changed) {
    if (changed.refused === "line") throw validationError({ line: ["There is no such line to cook on this ticket."] });
    throw await ticketChanged(ctx, locked);
  }
  const after = saveTicket(ctx, changed.next);
  const action = AUDIT[wanted.change];
  const subject = { kind: "ticket", id: ticket.order_id } as const;
  if (action !== null) recordAudit(ctx, { action, subject, after: { ticket_id: id, station: ticket.station } });
  const all = tickets.map((one) => (one.id === id ? after : one));
  if (wanted.change === "bump") await planReady(ctx, order.order, all, screen.id);
  return presentKitchenTicket(after, order, firedOf(all), allergens);
};

/** A dish that no station of the screen cooks does not exist for it. */
export const sellOutDish = async (ctx: Ctx, screen: PairedScreen, id: number): Promise<{ id: number; until: string | null }> => {
  const station = await readStationOf(ctx, id);
  if (station === undefined || !isCookedBy(screen, stationOf(station))) throw apiError("not_found");
  const { state } = await sellOutToday(ctx, id);
  return { id, until: state.until };
};
