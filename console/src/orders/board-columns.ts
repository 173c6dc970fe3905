/** The column of the board in which an order stands, and the order of its cards. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { OrderStatus } from "@comanda/contract/venue/orders.ts";

export const OPEN_COLUMNS = ["new", "kitchen", "ready"] as const;
export type OpenColumn = (typeof OPEN_COLUMNS)[number];
export type BoardColumn = OpenColumn | "later" | "done";

const COLUMN_OF_STATUS: Record<OrderStatus, BoardColumn> = {
  placed: "new",
  accepted: "kitchen",
  ready: "ready",
  completed: "done",
  rejected: "done",
  cancelled: "done",
};

export const isClosed = (status: OrderStatus): boolean => COLUMN_OF_STATUS[status] === "done";

/** A day of service ends at 05:00 on the venue's clock: an order of 01:30 belongs to the evening before. */
const DAY_BEGINS_MS = 5 * 60 * 60 * 1000;

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** Making a format takes longer than using it, and the board asks for every order. */
const dayFormatOf = (zone: string): Intl.DateTimeFormat => {
  const known = dayFormats.get(zone) ?? new Intl.DateTimeFormat("en-CA", { timeZone: zone, dateStyle: "short" });
  dayFormats.set(zone, known);
  return known;
};

/** As 2026-10-25, on the venue's clock. */
export const serviceDayOf = (at: number, zone: string): string => dayFormatOf(zone).format(new Date(at - DAY_BEGINS_MS));

export const isHeld = ({ held_until }: Pick<BoardOrder, "held_until">, now: number): boolean =>
  held_until !== null && new Date(held_until).getTime() > now;

/** What the kitchen does not cook yet stands in Later: an order that is held, or promised for another day. */
export const columnOf = (order: BoardOrder, now: number, zone: string): BoardColumn => {
  const column = COLUMN_OF_STATUS[order.order.status];
  if (column !== "new" && column !== "kitchen") return column;
  const isForLaterDay = serviceDayOf(new Date(order.promised_at).getTime(), zone) > serviceDayOf(now, zone);
  return isHeld(order, now) || isForLaterDay ? "later" : column;
};

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Instants are written alike, so their texts sort as they do. */
export const byPromise = (a: BoardOrder, b: BoardOrder): number =>
  compare(a.promised_at, b.promised_at) || compare(a.order.placed_at, b.order.placed_at) || compare(a.order.id, b.order.id);

export const sortIntoColumns = (orders: readonly BoardOrder[], now: number, zone: string): Record<BoardColumn, BoardOrder[]> => {
  const columns: Record<BoardColumn, BoardOrder[]> = { new: [], kitchen: [], ready: [], later: [], done: [] };
  for (const order of orders.toSorted(byPromise)) columns[columnOf(order, now, zone)].push(order);
  return columns;
};
