/** Prices of many dishes, changed by per cent or by an amount. */

import type { ItemValue } from "@comanda/contract/console/menu-editor.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { PRICE_MAX } from "#kit/amounts.ts";

/** `by` is negative when prices go down. */
export type PriceRule = ({ kind: "percent"; by: number } | { kind: "amount"; by: Minor }) & { roundTo: Minor };

/** Per cent are counted in thousandths, so that 10.5 % of 1000 is not lost in fractions. */
export const changedPrice = (price: Minor, { kind, by, roundTo }: PriceRule): Minor => {
  const exact = kind === "percent" ? (price * (100_000 + Math.round(by * 1000))) / 100_000 : price + by;
  return minor(Math.min(PRICE_MAX, Math.max(0, Math.round(exact / roundTo) * roundTo)));
};

export const withRule = (value: ItemValue, rule: PriceRule): ItemValue => ({
  ...value,
  price_minor: value.price_minor === null ? null : changedPrice(value.price_minor, rule),
  variants: value.variants.map((size) => ({ ...size, price_minor: changedPrice(size.price_minor, rule) })),
});

/** The steps that prices are rounded to: none, and those that the currency has coins for. */
export const roundSteps = (digits: number): Minor[] => {
  const unit = 10 ** digits;
  return [1, unit / 20, unit / 10, unit / 2, unit].filter((step, at) => at === 0 || (step > 1 && Number.isInteger(step))).map(minor);
};
