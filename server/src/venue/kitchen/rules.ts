/** Which line of which ticket is struck with a line of the order, and when an order is cooked. */
import type { Translations } from "@comanda/contract/shared.ts";

type Shown = { name: Translations; variant_name: Translations | null; quantity: number; modifiers: { name: Translations }[] };
type LineOnTicket = Shown & { line_id?: number; voided?: true };
type StruckPortions = { id: number; quantity: number };
/** `part` is null when all of the line is struck. */
export type StruckOfLine<Line = Shown & { id: number }> = { line: Line; part: StruckPortions | null };

const isSameName = (one: Translations | null, other: Translations | null | undefined): boolean => {
  const languages = new Set([...Object.keys(one ?? {}), ...Object.keys(other ?? {})]);
  return (one === null) === (other === null) && [...languages].every((language) => one?.[language] === other?.[language]);
};

const isSameShown = (one: Shown, other: Shown): boolean =>
  one.quantity === other.quantity &&
  isSameName(one.name, other.name) &&
  isSameName(one.variant_name, other.variant_name) &&
  one.modifiers.length === other.modifiers.length &&
  one.modifiers.every(({ name }, index) => isSameName(name, other.modifiers[index]?.name));

/** Tickets from before lines had ids are compared by what they show: lines that look the same are the same to the kitchen. */
const isLine = (onTicket: LineOnTicket, line: Shown & { id: number }): boolean =>
  onTicket.line_id === undefined ? isSameShown(onTicket, line) : onTicket.line_id === line.id;

const OPEN_STATES = ["held", "queued", "fired"];

type TicketWithLines<L> = { state: string; lines: L[]; acknowledged_at: Date | null };

/** Where the kitchen marked lines by their places, they keep them: the part of a line is added at the end. */
const strikeAt = <L extends LineOnTicket>(lines: readonly L[], place: number, part: StruckPortions | null): L[] => {
  const line = lines[place];
  if (line === undefined) return [...lines];
  if (part === null) return lines.with(place, { ...line, voided: true });
  const rest = { ...line, quantity: line.quantity - part.quantity };
  return [...lines.with(place, rest), { ...line, line_id: part.id, quantity: part.quantity, voided: true }];
};

/**
 * The ticket with the line, or part of it, struck; null when no ticket has it. A bumped ticket stays bumped, so that a recall shows the line as struck.
 * A ticket without another line is voided, so that it cannot be recalled; one that was bumped needs no acknowledgement.
 */
export const strikeTicketLine = <L extends LineOnTicket, T extends TicketWithLines<L>>(
  tickets: readonly T[],
  { line, part }: StruckOfLine,
  now: Date,
): { before: T; after: T } | null => {
  // Lines may look the same. The line that is not cooked yet is struck.
  const [open, done] = [tickets.filter(({ state }) => OPEN_STATES.includes(state)), tickets.filter(({ state }) => state === "done")];
  for (const before of [...open, ...done]) {
    const place = before.lines.findIndex((onTicket) => onTicket.voided !== true && isLine(onTicket, line));
    if (place < 0) continue;
    const lines = strikeAt(before.lines, place, part);
    if (!lines.every(({ voided }) => voided === true)) return { before, after: { ...before, lines } };
    return {
      before,
      after: { ...before, lines, state: "voided", acknowledged_at: before.state === "done" ? now : before.acknowledged_at },
    };
  }
  return null;
};

type TicketProgress = { state: string; done_at: Date | null };

/** Tickets that were taken back need no cooking, but an order of such tickets alone is not cooked. */
export const isCooked = (tickets: readonly TicketProgress[]): boolean =>
  tickets.some(({ state }) => state === "done") && tickets.every(({ state }) => ["done", "voided", "withdrawn"].includes(state));

/** Later than at the last change. A transaction that began earlier may be the later one to lock the order. */
export const nextChangedAt = (before: Date | null, now: Date): Date => new Date(Math.max(now.getTime(), before ? before.getTime() + 1 : 0));

export const lastDoneAt = (tickets: readonly TicketProgress[]): Date | null =>
  tickets.reduce<Date | null>((last, { done_at }) => (done_at && (last === null || done_at > last) ? done_at : last), null);
