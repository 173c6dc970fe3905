/** Prices of many dishes, changed by per cent or by an amount. */
import type { ItemValue } from "@comanda/contract/console/menu-editor.ts";
import { PRICE_MAX } from "./price-text.ts";

/** `by` is per cent, or an amount in the smallest unit. It is negative when prices go down. `roundTo` is in the smallest unit. */
export type PriceRule = { kind: "percent" | "amount"; by: number; roundTo: number };

/** Per cent are counted in thousandths, so that 10.5 % of 1000 is not lost in fractions. */
export const changedPrice = (minor: number, { kind, by, roundTo }: PriceRule): number => {
  const exact = kind === "percent" ? (minor * (100_000 + Math.round(by * 1000))) / 100_000 : minor + by;
  return Math.min(PRICE_MAX, Math.max(0, Math.round(exact / roundTo) * roundTo));
};

export const withRule = (value: ItemValue, rule: PriceRule): ItemValue => ({
  ...value,
  price_minor: value.price_minor === null ? null : changedPrice(value.price_minor, rule),
  variants: value.variants.map((size) => ({ ...size, price_minor: changedPrice(size.price_minor, rule) })),
});

/** The steps that prices are rounded to: none, and those that the currency has coins for. */
export const roundSteps = (digits: number): number[] => {
  const unit = 10 ** digits;
  return [1, unit / 20, unit / 10, unit / 2, unit].filter((step, at) => at === 0 || (step > 1 && Number.isInteger(step)));
};
