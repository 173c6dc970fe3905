/** What a tap in the kitchen makes of a ticket, and which tickets a screen shows. */
import type { KitchenTicket, TicketChange } from "@comanda/contract/console/kitchen.ts";

type StoredLine = { voided?: true; done?: true; acknowledged?: true };
type StoredTicket<L extends StoredLine> = {
  state: "held" | "queued" | "fired" | "done" | "voided" | "withdrawn";
  lines: L[];
  is_priority: boolean;
  done_at: Date | null;
  acknowledged_at: Date | null;
};

/** The kitchen sees a ticket that was withdrawn after it was fired as a cancelled one. */
export const shownState = (state: StoredTicket<StoredLine>["state"]): KitchenTicket["state"] =>
  state === "fired" || state === "done" ? state : "voided";

/** `seen`: the ticket is not as the screen showed it. `line`: there is no such line to cook. */
export type ChangedTicket<T> = { next: T } | { refused: "seen" | "line" } | "unchanged";

const withLine = <L extends StoredLine, T extends StoredTicket<L>>(
  ticket: T,
  index: number | undefined,
  isDone: boolean,
): ChangedTicket<T> => {
  const line = index === undefined ? undefined : ticket.lines[index];
  if (!line || line.voided) return { refused: "line" };
  if ((line.done === true) === isDone) return "unchanged";
  const { done: _, ...open } = line;
  const lines = ticket.lines.map((one, place) => (place === index ? ({ ...open, ...(isDone ? { done: true } : {}) } as L) : one));
  return { next: { ...ticket, lines } };
};

/** A line that was struck after the screen was drawn stays to be acknowledged: no cook has seen it. */
const acknowledged = <L extends StoredLine, T extends StoredTicket<L>>(
  ticket: T,
  seenLines: readonly number[] | undefined,
  now: Date,
): ChangedTicket<T> => {
  if (shownState(ticket.state) === "voided") return ticket.acknowledged_at ? "unchanged" : { next: { ...ticket, acknowledged_at: now } };
  const isMeant = (line: L, place: number): boolean =>
    line.voided === true && !line.acknowledged && (seenLines === undefined || seenLines.includes(place));
  if (!ticket.lines.some(isMeant)) return "unchanged";
  return {
    next: { ...ticket, lines: ticket.lines.map((line, place) => (isMeant(line, place) ? { ...line, acknowledged: true as const } : line)) },
  };
};

const withPriority = <T extends { is_priority: boolean }>(ticket: T, is_priority: boolean): ChangedTicket<T> =>
  ticket.is_priority === is_priority ? "unchanged" : { next: { ...ticket, is_priority } };

/** Compare and set: of two screens that tap at once, one changes the ticket. */
export const changeOf = <L extends StoredLine, T extends StoredTicket<L>>(
  ticket: T,
  { change, seen_state, line, struck_lines }: TicketChange,
  now: Date,
): ChangedTicket<T> => {
  const state = shownState(ticket.state);
  if (state !== seen_state) return { refused: "seen" };
  if (change === "acknowledge") return acknowledged<L, T>(ticket, struck_lines, now);
  if (change === "recall") return state === "done" ? { next: { ...ticket, state: "fired", done_at: null } } : { refused: "seen" };
  if (state !== "fired") return { refused: "seen" };
  if (change === "bump") return { next: { ...ticket, state: "done", done_at: now } };
  if (change === "priority" || change === "no_priority") return withPriority(ticket, change === "priority");
  return withLine<L, T>(ticket, line, change === "line_done");
};

/** Whether there is something to do or to see on the screen. */
export const isOpenTicket = ({ state, is_acknowledged }: Pick<KitchenTicket, "state" | "is_acknowledged">): boolean =>
  state === "fired" || (state === "voided" && !is_acknowledged);

type ShownBy = { branch_id: number | null; stations: readonly string[] };

/** A screen without stations is of all of them. */
export const isCookedBy = ({ stations }: Pick<ShownBy, "stations">, station: string): boolean =>
  stations.length === 0 || stations.includes(station);

export const isShownBy = (screen: ShownBy, { branch_id, station }: { branch_id: number | null; station: string }): boolean =>
  (screen.branch_id === null || branch_id === null || branch_id === screen.branch_id) && isCookedBy(screen, station);
