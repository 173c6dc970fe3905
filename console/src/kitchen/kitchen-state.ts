/** The kitchen as the display has it, and how answers of the server change it. */
import type { Kitchen, KitchenTicket, TicketChangeKind } from "@comanda/contract/console/kitchen.ts";

export type KitchenState = Pick<
  Kitchen,
  "position" | "tickets" | "is_cut" | "screen" | "missing" | "branches" | "venue_name" | "default_language" | "zone"
> & {
  /** How far the server's clock is ahead of this device's. */
  clockAheadMs: number;
  /** This device kept it from then, and the service has not been reached since. */
  copiedAt?: number;
};

export const NOTHING_MISSING: KitchenState["missing"] = { stations: [], is_branch_missing: false };

/** An answer may have been read before a write that the display has seen already. */
const newerOf = (given: KitchenTicket, known: KitchenTicket | undefined): KitchenTicket =>
  known !== undefined && given.changed_at < known.changed_at ? known : given;

/** An answer that took longer shows a smaller difference of the clocks. */
const CLOCK_STEP_MS = 2000;

const keepIfNear = (known: number | undefined, given: number): number =>
  known !== undefined && Math.abs(known - given) < CLOCK_STEP_MS ? known : given;

/** What says the same keeps its identity, so that no card is drawn again. */
const keepIfEqual = <T>(known: T | undefined, given: T): T =>
  known !== undefined && JSON.stringify(known) === JSON.stringify(given) ? known : given;

/** A position is the epoch and the number of the last change. */
const isLaterIn = (answer: string, known: string): boolean => {
  const [[epoch, number], [knownEpoch, knownNumber]] = [answer.split("."), known.split(".")];
  return epoch === knownEpoch && Number(number ?? 0) >= Number(knownNumber ?? 0);
};

/** A database that came back from a copy has an older state, which is the right one. */
const ticketsToCompare = (known: KitchenState | undefined, answer: Kitchen): KitchenTicket[] =>
  known === undefined || (answer.is_whole && !isLaterIn(answer.position, known.position)) ? [] : known.tickets;

/** A whole answer replaces all. Another one replaces the tickets of the orders that it names. */
export const mergeKitchen = (known: KitchenState | undefined, answer: Kitchen, receivedAt: number): KitchenState => {
  const knownById = new Map(ticketsToCompare(known, answer).map((ticket) => [ticket.id, ticket]));
  const given = answer.tickets.map((ticket) => keepIfEqual(knownById.get(ticket.id), newerOf(ticket, knownById.get(ticket.id))));
  const dropped = new Set(answer.changed_orders);
  const givenIds = new Set(given.map(({ id }) => id));
  const kept = answer.is_whole ? [] : (known?.tickets ?? []).filter(({ id, order_id }) => !dropped.has(order_id) && !givenIds.has(id));
  return {
    position: answer.position,
    tickets: [...kept, ...given],
    is_cut: answer.is_whole ? answer.is_cut : (known?.is_cut ?? answer.is_cut),
    screen: answer.screen,
    // A process of an earlier version does not say it.
    missing: keepIfEqual(known?.missing, answer.missing ?? NOTHING_MISSING),
    branches: keepIfEqual(known?.branches, answer.branches),
    venue_name: answer.venue_name,
    default_language: answer.default_language,
    zone: answer.zone,
    clockAheadMs: keepIfNear(known?.clockAheadMs, new Date(answer.now).getTime() - receivedAt),
  };
};

/**
 * The answer to a write. The position stays: other changes before it may be missing here. A ticket that is closed stays in the list,
 * where it is not shown, so that an older reading does not open it again. A ticket that is not known was closed elsewhere while the answer
 * was on its way: only a recall brings one back.
 */
export const mergeTicket = (known: KitchenState, written: KitchenTicket, change: TicketChangeKind | null): KitchenState => {
  const before = known.tickets.find(({ id }) => id === written.id);
  if (before === undefined) return change === "recall" ? { ...known, tickets: [...known.tickets, written] } : known;
  return { ...known, tickets: known.tickets.map((ticket) => (ticket.id === written.id ? newerOf(written, before) : ticket)) };
};
