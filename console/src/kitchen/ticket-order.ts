/** The order of the tickets on the screen. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";

const compareTickets = (a: KitchenTicket, b: KitchenTicket): number =>
  Number(b.is_priority) - Number(a.is_priority) || a.fired_at.localeCompare(b.fired_at) || a.id - b.id;

/** Priority first, then the oldest. */
export const orderTickets = (tickets: readonly KitchenTicket[]): KitchenTicket[] => tickets.toSorted(compareTickets);

/** Puts the tickets of an order one after the other. The first of them gives the order its place. */
export const groupByOrder = (tickets: readonly KitchenTicket[]): KitchenTicket[] =>
  [...Map.groupBy(orderTickets(tickets), ({ order_id }) => order_id).values()].flat();

/** A screen without stations shows all of them, for the person who hands the dishes out. */
export const arrangeTickets = (tickets: readonly KitchenTicket[], stations: readonly string[]): KitchenTicket[] =>
  stations.length === 0 ? groupByOrder(tickets) : orderTickets(tickets);
