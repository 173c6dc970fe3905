/** Independent calculation: what an order must cost, computed from the menu and the order's own rows. */
import type { Item, MenuNow } from "@comanda/contract/venue/menu.ts";
import type { Order, TaxRow } from "@comanda/contract/venue/orders.ts";
import { expect } from "vitest";
import { found, openedMenus } from "../menu/floor.ts";
import type { Venue } from "../target.ts";
import type { OrderedLine } from "./orders.ts";

export type PriceBook = { readonly dishes: readonly Item[]; readonly cuts: MenuNow["prices"] };

export const readPriceBook = async (venue: Venue): Promise<PriceBook> => {
  const menus = await openedMenus(venue);
  return {
    dishes: menus.flatMap(({ data }) => data.categories).flatMap(({ items }) => items),
    cuts: menus.flatMap(({ meta }) => meta.now.prices),
  };
};

/** The price in `meta.now` for the dish or size, else the list price. */
const unitPrice = (
  { dishes, cuts }: PriceBook,
  { item_id, variant_id = null as number | null }: { item_id: number; variant_id?: number | null },
) => {
  const cut = cuts.find((price) => price.item_id === item_id && price.variant_id === variant_id);
  const dish = found("the dish that was ordered", dishes, ({ id }) => id === item_id);
  return cut?.price_minor ?? dish.variants.find(({ id }) => id === variant_id)?.price_minor ?? dish.price_minor;
};

/** The expected order line of a sent line; the order of modifiers does not matter. */
const expectedLine = (book: PriceBook, line: OrderedLine) => {
  const dish = found("the dish that was ordered", book.dishes, ({ id }) => id === line.item_id);
  const options = dish.modifier_groups.flatMap((group) => group.options).filter(({ id }) => line.option_ids?.includes(id));
  const unit_price_minor = unitPrice(book, line) ?? Number.NaN;
  const each = options.reduce((sum, { price_minor }) => sum + price_minor, unit_price_minor);
  return {
    item_id: dish.id,
    name: dish.name,
    variant_name: dish.variants.find(({ id }) => id === line.variant_id)?.name ?? null,
    quantity: line.quantity,
    unit_price_minor,
    line_total_minor: each * line.quantity,
    voided: false,
    modifiers: sorted(options.map(({ name, price_minor }) => ({ name, price_minor }))),
  };
};

export const expectLines = (order: Order, book: PriceBook, sent: readonly OrderedLine[]): void => {
  const shown = order.items.map(({ id, modifiers, ...line }) => ({ ...line, modifiers: sorted(modifiers) }));
  expect(shown).toEqual(sent.map((line) => expectedLine(book, line)));
  expectSums(order);
};

/** Rules for the amounts of every order, whatever the owner's settings. */
export const expectSums = (order: Order): void => {
  for (const { unit_price_minor, modifiers, quantity, line_total_minor } of order.items)
    expect(line_total_minor).toBe((unit_price_minor + total(modifiers.map(({ price_minor }) => price_minor))) * quantity);
  const kept = order.items.filter(({ voided }) => !voided);
  expect(order.subtotal_minor).toBe(total(kept.map(({ line_total_minor }) => line_total_minor)));
  expect(order.discount_minor).toBeLessThanOrEqual(order.subtotal_minor);
  const { subtotal_minor, discount_minor, service_charge_minor, tax_added_minor, delivery_fee_minor } = order;
  expect(order.total_minor).toBe(subtotal_minor - discount_minor + service_charge_minor + tax_added_minor + delivery_fee_minor);
  expectTaxes(order);
};

/** Each rate is calculated once, on the sum it applies to; taxes outside the prices are added. */
const expectTaxes = ({ tax_breakdown, tax_added_minor, ...order }: Order): void => {
  const rows = tax_breakdown ?? [];
  const added = rows.filter(({ inclusive }) => !inclusive);
  expect(tax_added_minor).toBe(total(added.map(({ tax_minor }) => tax_minor)));
  for (const row of rows) expect(row.tax_minor, JSON.stringify(row)).toBe(taxOf(row));
  const paid = order.subtotal_minor - order.discount_minor + order.service_charge_minor + order.delivery_fee_minor;
  expect(total(rows.map(({ taxable_minor }) => taxable_minor))).toBeLessThanOrEqual(paid);
};

/** Half a unit is rounded up, in whole numbers: a rate has three decimals at most. */
const taxOf = ({ taxable_minor, rate, inclusive }: TaxRow): number => {
  const thousandths = BigInt(Math.round(rate * 1000));
  const whole = 100_000n + (inclusive ? thousandths : 0n);
  return Number((2n * BigInt(taxable_minor) * thousandths + whole) / (2n * whole));
};

export const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

const sorted = <T extends { name: object; price_minor: number }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
