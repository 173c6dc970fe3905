/** Changes that cooks make: what a change does to a ticket, and which changes fall with one that is refused. */
import type { KitchenLine, KitchenTicket, TicketChange, TicketChangeKind } from "@comanda/contract/console/kitchen.ts";
import { byTap, type Tap } from "#offline/queued-moves.ts";

/** One tap on a ticket. `ticket` is what the screen showed: a recalled ticket is shown again from it. */
export type QueuedChange = Tap & TicketChange & { screenId: number; ticketId: number; ticket: KitchenTicket };

export const hasUnseenStrike = ({ lines }: KitchenTicket): boolean =>
  lines.some(({ is_struck, is_acknowledged }) => is_struck && !is_acknowledged);

/** A cancelled ticket stays until the kitchen has taken note of it. */
export const isShown = ({ state, is_acknowledged }: KitchenTicket): boolean =>
  state === "fired" || (state === "voided" && !is_acknowledged);

const mapLine = (ticket: KitchenTicket, place: number | undefined, more: Partial<KitchenLine>): KitchenTicket => ({
  ...ticket,
  lines: ticket.lines.map((line) => (line.index === place ? { ...line, ...more } : line)),
});

/** A change that an earlier version queued does not name the lines. */
const acknowledge = (ticket: KitchenTicket, { struck_lines: seen }: QueuedChange): KitchenTicket => ({
  ...ticket,
  is_acknowledged: ticket.state === "voided" || ticket.is_acknowledged,
  lines: ticket.lines.map((line) =>
    line.is_struck && (seen === undefined || seen.includes(line.index)) ? { ...line, is_acknowledged: true } : line,
  ),
});

const CHANGES: Record<TicketChangeKind, (ticket: KitchenTicket, change: QueuedChange) => KitchenTicket> = {
  bump: (ticket, { at }) => ({ ...ticket, state: "done", done_at: new Date(at).toISOString() }),
  recall: (ticket) => ({ ...ticket, state: "fired", done_at: null }),
  line_done: (ticket, { line }) => mapLine(ticket, line, { is_done: true }),
  line_open: (ticket, { line }) => mapLine(ticket, line, { is_done: false }),
  acknowledge,
  priority: (ticket) => ({ ...ticket, is_priority: true }),
  no_priority: (ticket) => ({ ...ticket, is_priority: false }),
};

/** The state that a change was made for is the state after the changes before it. Another one was overtaken by a reading. */
const applyChange = (ticket: KitchenTicket, change: QueuedChange): KitchenTicket =>
  ticket.state === change.seen_state ? CHANGES[change.change](ticket, change) : ticket;

/**
 * What the screen shows: the tickets of the service with all changes that are still on their way. A recalled ticket is taken from its
 * change, because the service does not give closed tickets.
 */
export const applyQueued = (tickets: readonly KitchenTicket[], queued: readonly QueuedChange[]): KitchenTicket[] => {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]));
  for (const change of queued.toSorted(byTap)) {
    const ticket = byId.get(change.ticketId) ?? (change.change === "recall" ? change.ticket : undefined);
    if (ticket) byId.set(ticket.id, applyChange(ticket, change));
  }
  return [...byId.values()];
};

type NewChange = { key: string; at: number; screenId: number; ticket: KitchenTicket; change: TicketChangeKind; line?: number };

/**
 * `ticket` is the ticket as it is shown, so its state is the one after all changes that still wait, and its struck lines are those that the
 * cook saw.
 */
export const queuedChangeOf = ({ ticket, line, ...rest }: NewChange): QueuedChange => ({
  ...rest,
  ticketId: ticket.id,
  ticket,
  seen_state: ticket.state,
  ...(line === undefined ? {} : { line }),
  ...(rest.change === "acknowledge" ? { struck_lines: ticket.lines.filter(({ is_struck }) => is_struck).map(({ index }) => index) } : {}),
});

/** A refused change takes the later changes of its ticket with it: they were made for a state that never came. */
export const changesToDrop = (queued: readonly QueuedChange[], refused: QueuedChange): QueuedChange[] =>
  queued.filter((change) => change.key === refused.key || (change.ticketId === refused.ticketId && byTap(change, refused) > 0));

/** Bumped here and perhaps not known to the service yet; the newest first. */
export const queuedBumps = (queued: readonly QueuedChange[]): KitchenTicket[] => {
  const last = new Map<number, QueuedChange>();
  for (const change of queued.toSorted(byTap))
    if (change.change === "bump" || change.change === "recall") last.set(change.ticketId, change);
  return [...last.values()]
    .filter(({ change }) => change === "bump")
    .toReversed()
    .map((change) => CHANGES.bump(change.ticket, change));
};

/** What can be recalled. A ticket that the screen shows as open is left out, whatever the list of the service says. */
export const recallable = (
  done: readonly KitchenTicket[],
  queued: readonly QueuedChange[],
  shown: readonly KitchenTicket[],
): KitchenTicket[] => {
  const bumped = queuedBumps(queued);
  const open = new Set(shown.filter(({ state }) => state === "fired").map(({ id }) => id));
  const known = new Set(bumped.map(({ id }) => id));
  return [...bumped, ...done.filter(({ id }) => !known.has(id) && !open.has(id))];
};
