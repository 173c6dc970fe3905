/**
 * A second till, written from the open points D80 and D95–D99 alone: exact fractions throughout, rounded where the points
 * say so and nowhere else. What an order costs must come out of both tills alike, to the minor unit.
 */
import type { NewOrder, OrderType, TaxRow } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { type Hours, WEEKDAYS } from "@comanda/contract/venue-file/opening-hours.ts";
import type { OrderingRules } from "@comanda/contract/venue-file/ordering-rules.ts";
import type { PriceList } from "#venue/menu/rules/items.ts";

export type Cart = { wanted: NewOrder; priceList: PriceList; charges: Charges; ordering: OrderingRules; now: Date };

export type ReferencePrice = {
  lines: { unit: number; modifiers: number[]; total: number }[];
  subtotal_minor: number;
  discount_minor: number;
  service_charge_minor: number;
  tax_added_minor: number;
  delivery_fee_minor: number;
  total_minor: number;
  tax_breakdown: TaxRow[] | null;
};

type Fraction = { over: bigint; under: bigint };

/** Read from its digits, so that no binary fraction ever stands for a decimal one. */
const decimal = (value: number): Fraction => {
  const [whole = "0", digits = ""] = String(value).split(".");
  return { over: BigInt(whole + digits), under: 10n ** BigInt(digits.length) };
};

const times = (amount: bigint, { over, under }: Fraction): Fraction => ({ over: amount * over, under });
const percent = (rate: number): Fraction => ({ over: decimal(rate).over, under: decimal(rate).under * 100n });
const floor = ({ over, under }: Fraction): bigint => over / under;
/** Amounts are never negative, so half away from zero is half up. */
const round = ({ over, under }: Fraction): bigint => floor({ over: over * 2n + under, under: under * 2n });
const total = (amounts: Iterable<bigint>): bigint => [...amounts].reduce((sum, amount) => sum + amount, 0n);

const WEEK_MINUTES = 7 * 24 * 60;

/** Measures the way from each start, round the week: a span that ends at or before its start goes on into the next day. */
const isOn = (hours: Hours | null, now: Date): boolean => {
  const minuteOfWeek = (((now.getUTCDay() + 6) % 7) * 24 + now.getUTCHours()) * 60 + now.getUTCMinutes();
  const minutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
  return (
    hours?.some(({ days, from, to }) => {
      const length = minutes(to) - minutes(from) + (minutes(to) <= minutes(from) ? 1440 : 0);
      return days.some((day) => (minuteOfWeek - WEEKDAYS.indexOf(day) * 1440 - minutes(from) + 2 * WEEK_MINUTES) % WEEK_MINUTES < length);
    }) ?? true
  );
};

type ReferenceLine = { unit: bigint; modifiers: bigint[]; total: bigint; tax: string | null };

const priceLine = (
  { item_id, variant_id, quantity, option_ids = [] }: NewOrder["lines"][number],
  { priceList, charges, now }: Cart,
): ReferenceLine => {
  const dish = priceList.items.find((candidate) => candidate.id === item_id);
  if (!dish) throw new Error("The cart names a dish that is not for sale");
  const size = dish.variants.find(({ id }) => id === variant_id);
  const list = BigInt(size ? size.price_minor : (dish.price_minor ?? 0));
  let unit = list;
  for (const happy of priceList.happyHours) {
    const isMeant =
      happy.category_ids.includes(dish.category_id) || happy.item_ids.includes(dish.id) || happy.variant_ids.includes(size?.id ?? -1);
    if (!isMeant || !happy.is_active || !isOn(happy.hours, now)) continue;
    const offered = happy.price_minor === null ? list - round(times(list, percent(happy.percent_off ?? 0))) : BigInt(happy.price_minor);
    if (offered < unit) unit = offered;
  }
  const prices = new Map(dish.modifier_groups.flatMap(({ options }) => options.map(({ id, price_minor }) => [id, BigInt(price_minor)])));
  const modifiers = option_ids.map((id) => prices.get(id) ?? 0n);
  const tax = dish.tax_key ?? charges.taxes.find(({ is_default }) => is_default)?.key ?? null;
  return { unit, modifiers, total: (unit + total(modifiers)) * BigInt(quantity), tax };
};

const discountOn = (subtotal: bigint, { charges, wanted, now }: Cart): bigint => {
  let best = 0n;
  for (const { is_active, hours, types, subtotal_min_minor, percent_off, amount_off_minor } of charges.promotions) {
    const isMeant = is_active && types.includes(wanted.type) && BigInt(subtotal_min_minor) <= subtotal && isOn(hours, now);
    const off = amount_off_minor === null ? round(times(subtotal, percent(percent_off ?? 0))) : BigInt(amount_off_minor);
    if (isMeant && off > best) best = off;
  }
  return best < subtotal ? best : subtotal;
};

/** What the lines still cost. Unit by unit the discount goes to the line furthest below its exact share, the earlier first. */
const takeOff = (discount: bigint, sold: readonly ReferenceLine[]): bigint[] => {
  const all = total(sold.map((line) => line.total));
  if (all === 0n) return sold.map(() => 0n);
  const given = sold.map((line) => floor({ over: discount * line.total, under: all }));
  for (let left = discount - total(given); left > 0n; left--) {
    const missing = (index: number): bigint => discount * (sold[index]?.total ?? 0n) - (given[index] ?? 0n) * all;
    const neediest = [...given.keys()].reduce((most, index) => (missing(index) > missing(most) ? index : most));
    given[neediest] = (given[neediest] ?? 0n) + 1n;
  }
  return sold.map((line, index) => line.total - (given[index] ?? 0n));
};

const feeOf = ({ wanted, ordering }: Cart): bigint => {
  if (wanted.type !== "delivery") return 0n;
  const zone = ordering.delivery_zones.find(({ cities }) => cities.includes(wanted.delivery_address?.city ?? ""));
  return BigInt(zone ? zone.fee_minor : ordering.delivery_fee_minor);
};

/** One row for each tax that something in the order bears, in the owner's order. */
const taxRows = (charges: Charges, borne: { tax: string | null; amount: bigint }[]): TaxRow[] =>
  charges.taxes.flatMap(({ key, name, rate, inclusive }) => {
    const bearing = borne.filter(({ tax }) => tax === key);
    if (bearing.length === 0) return [];
    const base = total(bearing.map(({ amount }) => amount));
    const { over, under } = decimal(rate);
    const tax = round(times(base, inclusive ? { over, under: 100n * under + over } : { over, under: 100n * under }));
    return [{ name, rate, inclusive, taxable_minor: Number(base), tax_minor: Number(tax) }];
  });

const chargeOn = (amount: bigint, { service_charge }: Charges, type: OrderType): bigint =>
  service_charge?.types.includes(type) ? round(times(amount, percent(service_charge.percent))) : 0n;

export const referencePrice = (cart: Cart): ReferencePrice => {
  const { charges, wanted } = cart;
  const sold = wanted.lines.map((line) => priceLine(line, cart));
  const subtotal = total(sold.map((line) => line.total));
  const discount = discountOn(subtotal, cart);
  const paid = takeOff(discount, sold);
  const charge = chargeOn(subtotal - discount, charges, wanted.type);
  const fee = feeOf(cart);
  const borne = [
    ...sold.map(({ tax }, index) => ({ tax, amount: paid[index] ?? 0n })),
    ...(charge > 0n ? [{ tax: charges.service_charge?.tax ?? null, amount: charge }] : []),
    ...(fee > 0n ? [{ tax: charges.delivery_fee_tax, amount: fee }] : []),
  ];
  const rows = charges.taxes.length > 0 ? taxRows(charges, borne) : null;
  const added = total((rows ?? []).filter(({ inclusive }) => !inclusive).map(({ tax_minor }) => BigInt(tax_minor)));
  return {
    lines: sold.map(({ unit, modifiers, total: sum }) => ({ unit: Number(unit), modifiers: modifiers.map(Number), total: Number(sum) })),
    subtotal_minor: Number(subtotal),
    discount_minor: Number(discount),
    service_charge_minor: Number(charge),
    tax_added_minor: Number(added),
    delivery_fee_minor: Number(fee),
    total_minor: Number(subtotal - discount + charge + added + fee),
    tax_breakdown: rows,
  };
};
