/** The amounts of an order without one of its lines (open points D80, D106, D201). */
import type { OrderLine, OrderType, TaxRow } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { split } from "#lib/money.ts";
import { wallClock } from "#lib/time-zone.ts";
import type { StockNeed } from "#venue/stock/rules.ts";
import { type Amounts, priceOrder, taxOn } from "./pricing.ts";

type OrderAsSold = Amounts & { type: OrderType; lines: readonly OrderLine[]; placed_at: Date; scheduled_for: Date | null };

/** `taxKeys` are those of the dishes as they are now: a sold line stores none. */
export type PresentCharges = { charges: Charges; taxKeys: ReadonlyMap<number, string | null>; zone: string };

export const isLeft = ({ voided }: OrderLine): boolean => !voided;

/** The portions that are struck, of a line that has more. */
export type StruckPart = { id: number; quantity: number };

const withQuantity = (line: OrderLine, quantity: number): OrderLine => ({
  ...line,
  quantity,
  line_total_minor: (line.line_total_minor / line.quantity) * quantity,
});

/** The part becomes a line of its own, directly after the rest, and takes its share of the ingredients with it. */
export const splitLine = <O extends { lines: OrderLine[]; stock_needs: StockNeed[] | null }>(
  order: O,
  line: OrderLine,
  part: StruckPart,
): O => {
  const partOf = (milli: number): number => Math.round((milli * part.quantity) / line.quantity);
  const lines = order.lines.flatMap((one) =>
    one.id === line.id ? [withQuantity(one, one.quantity - part.quantity), { ...withQuantity(one, part.quantity), id: part.id }] : [one],
  );
  const stock_needs =
    order.stock_needs?.flatMap((need) =>
      need.line_id === line.id
        ? [
            { ...need, milli: need.milli - partOf(need.milli) },
            { ...need, line_id: part.id, milli: partOf(need.milli) },
          ]
        : [need],
    ) ?? null;
  return { ...order, lines, stock_needs };
};

/** An order without lines would be a cancelled one. */
export const isLastLine = ({ lines }: Pick<OrderAsSold, "lines">): boolean => lines.filter(isLeft).length <= 1;

/**
 * The rule that priced the order prices the lines that are left, at the moment the order is for. When that rule no longer gives what the
 * order came to, taxes, charges or promotions were changed since; then each amount shrinks with the subtotal, and each tax keeps its rate.
 * `order` has its lines as they were priced: when one is split, the discount can be spread by another cent.
 */
export const amountsOf = (order: OrderAsSold, left: readonly OrderLine[], { charges, taxKeys, zone }: PresentCharges): Amounts => {
  const clock = wallClock(zone, order.scheduled_for ?? order.placed_at);
  const price = (lines: readonly OrderLine[]): Amounts =>
    priceOrder(
      lines.map(({ item_id, line_total_minor }) => ({ line_total_minor, tax_key: taxKeys.get(item_id) ?? null })),
      charges,
      { type: order.type, deliveryFeeMinor: order.delivery_fee_minor },
      clock,
    );
  return isSameAmounts(price(order.lines.filter(isLeft)), order) ? price(left) : shrink(order, left);
};

const NUMBERS = [
  "subtotal_minor",
  "discount_minor",
  "service_charge_minor",
  "tax_added_minor",
  "delivery_fee_minor",
  "total_minor",
] as const;

const isSameTax = (one: TaxRow, other: TaxRow | undefined): boolean =>
  one.name === other?.name &&
  one.rate === other.rate &&
  one.inclusive === other.inclusive &&
  one.taxable_minor === other.taxable_minor &&
  one.tax_minor === other.tax_minor;

const isSameAmounts = (one: Amounts, other: Amounts): boolean =>
  NUMBERS.every((name) => one[name] === other[name]) &&
  (one.tax_breakdown === null) === (other.tax_breakdown === null) &&
  one.tax_breakdown?.length === other.tax_breakdown?.length &&
  (one.tax_breakdown ?? []).every((row, index) => isSameTax(row, other.tax_breakdown?.[index]));

/** `part` of `whole` of the amount. */
const shareOf = (amountMinor: number, part: number, whole: number): number => split(amountMinor, [part, whole - part])[0] ?? 0;

const shrink = (order: Amounts, left: readonly OrderLine[]): Amounts => {
  const subtotal_minor = left.reduce((sum, { line_total_minor }) => sum + line_total_minor, 0);
  const discount_minor = shareOf(order.discount_minor, subtotal_minor, order.subtotal_minor);
  const service_charge_minor = shareOf(order.service_charge_minor, subtotal_minor, order.subtotal_minor);
  const charged = subtotal_minor - discount_minor + service_charge_minor + order.delivery_fee_minor;
  const chargedBefore = order.subtotal_minor - order.discount_minor + order.service_charge_minor + order.delivery_fee_minor;
  const tax_breakdown =
    order.tax_breakdown?.map((row) => {
      const taxable_minor = shareOf(row.taxable_minor, charged, chargedBefore);
      return { ...row, taxable_minor, tax_minor: taxOn(taxable_minor, row.rate, row.inclusive) };
    }) ?? null;
  const added = (tax_breakdown ?? []).filter(({ inclusive }) => !inclusive);
  const tax_added_minor = added.reduce((sum, { tax_minor }) => sum + tax_minor, 0);
  return {
    subtotal_minor,
    discount_minor,
    service_charge_minor,
    tax_added_minor,
    delivery_fee_minor: order.delivery_fee_minor,
    total_minor: charged + tax_added_minor,
    tax_breakdown,
  };
};
