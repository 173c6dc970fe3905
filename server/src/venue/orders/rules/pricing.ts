/** Prices an order (open points D95–D99): integers throughout, each tax rate rounded once. */
import type { OrderType, TaxRow } from "@comanda/contract/venue/orders.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { partOf, percentOf, split } from "#lib/money.ts";
import type { WallClock } from "#lib/time-zone.ts";
import { isWithinHours } from "#venue/settings/rules/opening-hours.ts";

export type Amounts = {
  subtotal_minor: number;
  discount_minor: number;
  service_charge_minor: number;
  tax_added_minor: number;
  delivery_fee_minor: number;
  total_minor: number;
  tax_breakdown: TaxRow[] | null;
};

type TaxedAmount = { line_total_minor: number; tax_key: string | null };

export const priceOrder = (
  lines: readonly TaxedAmount[],
  charges: Charges,
  order: { type: OrderType; deliveryFeeMinor: number },
  clock: WallClock,
): Amounts => {
  const subtotal_minor = sum(lines.map((line) => line.line_total_minor));
  const discount_minor = discountOf(bestPromotion(subtotal_minor, charges, order.type, clock), subtotal_minor);
  const { service_charge } = charges;
  const service_charge_minor =
    service_charge?.types.includes(order.type) === true ? percentOf(subtotal_minor - discount_minor, service_charge.percent) : 0;
  const bases = taxBases(lines, charges, discount_minor);
  // A charge of 0 has no tax row: a pickup does not list the tax on delivery.
  if (service_charge?.tax && service_charge_minor > 0) bases.add(service_charge.tax, service_charge_minor);
  if (charges.delivery_fee_tax && order.deliveryFeeMinor > 0) bases.add(charges.delivery_fee_tax, order.deliveryFeeMinor);
  const tax_breakdown = charges.taxes.length === 0 ? null : bases.rows();
  const tax_added_minor = sum((tax_breakdown ?? []).filter((row) => !row.inclusive).map((row) => row.tax_minor));
  return {
    subtotal_minor,
    discount_minor,
    service_charge_minor,
    tax_added_minor,
    delivery_fee_minor: order.deliveryFeeMinor,
    total_minor: subtotal_minor - discount_minor + service_charge_minor + tax_added_minor + order.deliveryFeeMinor,
    tax_breakdown,
  };
};

/** Numbers above 2^53 are not exact, and amounts must be (open point D26). Hundreds of expensive options exceed it. */
export const areExact = ({ tax_breakdown: _, ...amounts }: Amounts): boolean => Object.values(amounts).every(Number.isSafeInteger);

type OwnedPromotion = Charges["promotions"][number];

/** Promotions do not add up: the one that takes off most applies. Of two that take off as much, the owner's first. */
export const bestPromotion = (subtotalMinor: number, { promotions }: Charges, type: OrderType, clock: WallClock): OwnedPromotion | null => {
  let best: OwnedPromotion | null = null;
  for (const promotion of promotions) {
    const runs =
      promotion.is_active &&
      promotion.types.includes(type) &&
      subtotalMinor >= promotion.subtotal_min_minor &&
      isWithinHours(promotion.hours, clock);
    if (runs && discountOf(promotion, subtotalMinor) > discountOf(best, subtotalMinor)) best = promotion;
  }
  return best;
};

/** Never more than the subtotal. */
const discountOf = (promotion: OwnedPromotion | null, subtotalMinor: number): number => {
  if (promotion === null) return 0;
  const { amount_off_minor, percent_off } = promotion;
  return Math.min(subtotalMinor, amount_off_minor ?? percentOf(subtotalMinor, percent_off ?? 0));
};

/** Spreads the discount over the lines in proportion, so that each tax rate applies to the amount paid. */
const taxBases = (lines: readonly TaxedAmount[], { taxes }: Charges, discountMinor: number) => {
  const fallback = taxes.find((tax) => tax.is_default)?.key ?? null;
  const shares = split(
    discountMinor,
    lines.map((line) => line.line_total_minor),
  );
  const bases = new Map<string, number>();
  const add = (key: string, amountMinor: number): void => void bases.set(key, (bases.get(key) ?? 0) + amountMinor);
  for (const [index, { tax_key, line_total_minor }] of lines.entries()) {
    const key = tax_key ?? fallback;
    if (key !== null) add(key, line_total_minor - (shares[index] ?? 0));
  }
  const rows = (): TaxRow[] =>
    taxes.flatMap(({ key, name, rate, inclusive }) => {
      const taxable_minor = bases.get(key);
      if (taxable_minor === undefined) return [];
      return [{ name, rate, inclusive, taxable_minor, tax_minor: taxOn(taxable_minor, rate, inclusive) }];
    });
  return { add, rows };
};

/** Inside the price, the tax is the part r/(100+r) of it; on top of it, r/100. */
export const taxOn = (baseMinor: number, rate: number, inclusive: boolean): number =>
  inclusive ? partOf(baseMinor, rate, 100 + rate) : percentOf(baseMinor, rate);

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);
