/** Prices as people type them. */
import { readAmount } from "../orders/counter-amounts.ts";
import { minorDigits } from "../ui/number-format.ts";

/** The contract allows no more. */
export const PRICE_MAX = 2_147_483_647;

export const writePrice = (minor: number, currency: string): string => {
  const digits = minorDigits(currency);
  return (minor / 10 ** digits).toFixed(digits);
};

/** Null when the text is no price in this currency. */
export const readPrice = (text: string, currency: string): number | null => {
  const minor = readAmount(text, currency);
  return minor === null || minor > PRICE_MAX ? null : minor;
};
