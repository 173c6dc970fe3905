/** How many portions of each dish are still to be cooked, over all open tickets. */
import type { KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";

export type DayCount = { key: string; line: KitchenLine; total: number };

const firstText = (texts: KitchenLine["name"] | null): string => Object.values(texts ?? {}).find((text) => text !== null) ?? "";

/** A dish and its size. Old tickets do not name their dish, so its written name counts. */
export const countKeyOf = ({ item_id, name, variant_name }: KitchenLine): string =>
  `${item_id ?? firstText(name)}/${firstText(variant_name)}`;

const isOpenLine = ({ is_done, is_struck }: KitchenLine): boolean => !is_done && !is_struck;

export const openLines = ({ state, lines }: KitchenTicket): KitchenLine[] => (state === "fired" ? lines.filter(isOpenLine) : []);

/** The largest first. */
export const dayCounts = (tickets: readonly KitchenTicket[]): DayCount[] =>
  [...Map.groupBy(tickets.flatMap(openLines), countKeyOf)]
    .flatMap(([key, lines]) => {
      const [line] = lines;
      return line ? [{ key, line, total: lines.reduce((sum, { quantity }) => sum + quantity, 0) }] : [];
    })
    .toSorted((a, b) => b.total - a.total || a.key.localeCompare(b.key));

export const holdsCount = (ticket: KitchenTicket, key: string): boolean => openLines(ticket).some((line) => countKeyOf(line) === key);
