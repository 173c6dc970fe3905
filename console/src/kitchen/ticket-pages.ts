/**
 * Which tickets are on which page, in which column. A column is filled from the top; a ticket that is higher than a column is shown in
 * parts. No line is ever cut off.
 */
import type { KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { hasUnseenStrike } from "./ticket-changes.ts";

/** A ticket, or some of its lines. */
export type TicketPart = { key: string; ticket: KitchenTicket; lines: readonly KitchenLine[]; part: number; parts: number };
export type TicketPage = readonly (readonly TicketPart[])[];
export type WallSize = { columns: number; width: number; height: number; gap: number };

/**
 * A long ticket is cut by heights that are rather too large, so that each part fits. The estimate for filling a column is rather too small:
 * a part that was taken into a column is measured there, one that was left out is not.
 */
const LARGE = { head: 150, note: 110, button: 92, line: 77, modifier: 34, allergens: 28 };
const SMALL = { head: 96, note: 60, button: 84, line: 72, modifier: 10, allergens: 0 };
type PartHeights = typeof LARGE;

/** The length of a row of allergens, and of the words before their names. A name is about as long as its value in the contract. */
const ALLERGENS = { row: 16, label: 12, notStated: 20 };

const allergenRows = ({ allergens, is_struck }: KitchenLine): number => {
  if (is_struck || allergens?.length === 0) return 0;
  return Math.ceil((allergens ? ALLERGENS.label + allergens.join(", ").length : ALLERGENS.notStated) / ALLERGENS.row);
};

const lineHeight = (line: KitchenLine, px: PartHeights): number =>
  px.line + line.modifiers.length * px.modifier + allergenRows(line) * px.allergens;

/** What a part has besides its lines. */
const frameHeight = (ticket: KitchenTicket, px: PartHeights, isFirst: boolean): number =>
  px.head + (ticket.note !== null && isFirst ? px.note : 0) + (ticket.state === "voided" || hasUnseenStrike(ticket) ? px.button : 0);

const estimate = ({ ticket, lines, part, parts }: TicketPart): number =>
  frameHeight(ticket, { ...SMALL, button: part < parts - 1 ? 0 : SMALL.button }, part === 0) +
  lines.reduce((sum, line) => sum + lineHeight(line, SMALL), 0);

const isSeen = ({ is_struck, is_acknowledged }: KitchenLine): boolean => !is_struck || !is_acknowledged;

/** Cuts the lines where the estimated height of a column is reached. */
const cutLines = (ticket: KitchenTicket, heightMax: number, px: PartHeights): KitchenLine[][] => {
  const cut: KitchenLine[][] = [[]];
  let left = heightMax - frameHeight(ticket, px, true);
  for (const line of ticket.lines.filter(isSeen)) {
    const last = cut.at(-1) ?? [];
    if (lineHeight(line, px) > left && last.length > 0) {
      cut.push([line]);
      left = heightMax - frameHeight(ticket, px, false) - lineHeight(line, px);
    } else {
      last.push(line);
      left -= lineHeight(line, px);
    }
  }
  return cut;
};

/** On expo the lines show allergens. */
export const partsOf = (ticket: KitchenTicket, heightMax: number, isExpo: boolean): TicketPart[] => {
  const cut = cutLines(ticket, heightMax, isExpo ? LARGE : { ...LARGE, allergens: 0 });
  return cut.map((lines, part) => ({ key: `${ticket.id}.${part}.${lines.length}`, ticket, lines, part, parts: cut.length }));
};

/** `measured` has the heights of the parts that were drawn; the others are estimated. */
export const pagesOf = (
  tickets: readonly KitchenTicket[],
  { columns, height, gap }: WallSize,
  measured: ReadonlyMap<string, number>,
  isExpo: boolean,
): TicketPage[] => {
  const filled: TicketPart[][] = [];
  let left = 0;
  for (const part of tickets.flatMap((ticket) => partsOf(ticket, height, isExpo))) {
    const needed = measured.get(part.key) ?? estimate(part);
    if (needed > left) {
      filled.push([part]);
      left = height - needed - gap;
    } else {
      filled.at(-1)?.push(part);
      left -= needed + gap;
    }
  }
  return Array.from({ length: Math.ceil(filled.length / columns) }, (_, page) => filled.slice(page * columns, (page + 1) * columns));
};

/** The tickets that begin on a page, in the order of their digits. */
export const ticketsOn = (page: TicketPage | undefined): KitchenTicket[] =>
  (page ?? []).flat().flatMap(({ ticket, part }) => (part === 0 ? [ticket] : []));

/** The ticket beside the selected one, at the same height where there is one. */
export const besideOf = (page: TicketPage, selected: number | null, step: 1 | -1): number | null => {
  const columns = page.map((parts) => ticketsOn([parts]).map(({ id }) => id)).filter((ids) => ids.length > 0);
  const at = columns.findIndex((ids) => selected !== null && ids.includes(selected));
  if (at < 0) return columns[0]?.[0] ?? null;
  const target = columns[at + step];
  return target?.[Math.min(target.length - 1, columns[at]?.indexOf(selected ?? -1) ?? 0)] ?? null;
};
