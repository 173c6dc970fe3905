/** Which line of which ticket is struck with a line of the order. */
import type { Translations } from "@comanda/contract/shared.ts";

type Shown = { name: Translations; variant_name: Translations | null; quantity: number; modifiers: { name: Translations }[] };
type LineOnTicket = Shown & { line_id?: number; voided?: true };

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

/** The ticket with the line struck; null when no ticket has it. */
export const strikeTicketLine = <T extends { id: number; lines: LineOnTicket[] }>(
  tickets: readonly T[],
  line: Shown & { id: number },
): { id: number; lines: LineOnTicket[]; isEmpty: boolean } | null => {
  for (const { id, lines } of tickets) {
    const place = lines.findIndex((onTicket) => onTicket.voided !== true && isLine(onTicket, line));
    if (place < 0) continue;
    const left = lines.map((onTicket, index) => (index === place ? { ...onTicket, voided: true as const } : onTicket));
    return { id, lines: left, isEmpty: left.every(({ voided }) => voided === true) };
  }
  return null;
};
