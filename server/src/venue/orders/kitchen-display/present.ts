import type { KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { Allergen } from "@comanda/contract/venue/menu.ts";
import { shownState } from "./rules.ts";

type LineRow = {
  item_id?: number;
  name: Translations;
  variant_name: Translations | null;
  quantity: number;
  modifiers: { name: Translations }[];
  voided?: true;
  done?: true;
  acknowledged?: true;
};

export type FiredTicket = {
  id: number;
  order_id: string;
  station: string;
  state: Parameters<typeof shownState>[0];
  lines: LineRow[];
  is_priority: boolean;
  fired_at: Date | null;
  done_at: Date | null;
  acknowledged_at: Date | null;
  changed_at: Date | null;
  updated_at: Date;
};

/** The map's key is the id of the dish. */
export type DishAllergens = ReadonlyMap<number, Allergen[] | null>;

const presentLine = (line: LineRow, index: number, allergens: DishAllergens): KitchenLine => ({
  index,
  item_id: line.item_id ?? null,
  name: line.name,
  variant_name: line.variant_name,
  quantity: line.quantity,
  modifiers: line.modifiers.map(({ name }) => ({ name })),
  allergens: line.item_id === undefined ? null : (allergens.get(line.item_id) ?? null),
  is_done: line.done === true,
  is_struck: line.voided === true,
  is_acknowledged: line.acknowledged === true,
});

/** `all` are the tickets of the same order. */
export const presentKitchenTicket = (
  ticket: FiredTicket,
  { order, number, promised_at }: BoardOrder,
  all: readonly FiredTicket[],
  allergens: DishAllergens,
): KitchenTicket => ({
  id: ticket.id,
  order_id: ticket.order_id,
  number,
  type: order.type,
  table: order.table?.name ?? null,
  customer_name: order.customer.name,
  note: order.note,
  branch_id: order.branch_id,
  station: ticket.station,
  state: shownState(ticket.state),
  is_priority: ticket.is_priority,
  is_acknowledged: ticket.acknowledged_at !== null,
  lines: ticket.lines.map((line, index) => presentLine(line, index, allergens)),
  elsewhere: all.filter(({ id }) => id !== ticket.id).map(({ station, state }) => ({ station, state: shownState(state) })),
  fired_at: (ticket.fired_at ?? ticket.updated_at).toISOString(),
  promised_at,
  done_at: ticket.done_at?.toISOString() ?? null,
  changed_at: (ticket.changed_at ?? ticket.updated_at).toISOString(),
});
