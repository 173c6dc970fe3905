/** A ticket for the unit tests. */
import type { KitchenLine, KitchenTicket } from "@comanda/contract/console/kitchen.ts";

export const lineOf = (index: number, more: Partial<KitchenLine> = {}): KitchenLine => ({
  index,
  item_id: index + 1,
  name: { en: `Dish ${index + 1}` },
  variant_name: null,
  quantity: 1,
  modifiers: [],
  allergens: [],
  is_done: false,
  is_struck: false,
  is_acknowledged: false,
  ...more,
});

export const ticketOf = (id: number, more: Partial<KitchenTicket> = {}): KitchenTicket => ({
  id,
  order_id: `order-${id}`,
  number: id,
  type: "dine_in",
  table: "7",
  customer_name: null,
  note: null,
  branch_id: null,
  station: "Grill",
  state: "fired",
  is_priority: false,
  is_acknowledged: false,
  lines: [lineOf(0), lineOf(1)],
  elsewhere: [],
  fired_at: `2026-03-01T18:${String(id).padStart(2, "0")}:00.000Z`,
  promised_at: "2026-03-01T19:00:00.000Z",
  done_at: null,
  changed_at: "2026-03-01T18:00:00.000Z",
  ...more,
});
