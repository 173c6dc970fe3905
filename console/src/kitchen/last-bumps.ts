/** The tickets that were bumped on this page, for the undo button and the key that recalls the last one. */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";

export type BumpedTicket = { ticket: KitchenTicket; undoUntil: number };

const UNDO_MS = 20_000;
const BUMPS_MAX = 50;

export const addBump = (bumps: readonly BumpedTicket[], ticket: KitchenTicket, now: number): BumpedTicket[] =>
  [{ ticket, undoUntil: now + UNDO_MS }, ...removeBump(bumps, ticket.id)].slice(0, BUMPS_MAX);

export const removeBump = (bumps: readonly BumpedTicket[], id: number): BumpedTicket[] => bumps.filter(({ ticket }) => ticket.id !== id);
