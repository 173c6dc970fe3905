/** Amounts and prices as people type them. */
import { latinDigits } from "@comanda/contract/digits.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { minorDigits, wholeUnits } from "./number-format.ts";

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** 3450 as 34.50, for a field. */
export const writeAmount = (amount: Minor, currency: string): string => (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));

/** Null when the text is not an amount in this currency. A comma separates decimals too, and so does the Arabic ٫. */
export const readAmount = (text: string, currency: string): Minor | null => {
  const digits = digitsOf(currency);
  const match = /^(\d{1,12})(?:[.,\u066b](\d*))?$/.exec(latinDigits(text.trim()));
  if (!match || (match[2] ?? "").length > digits) return null;
  return minor(Number(`${match[1]}${(match[2] ?? "").padEnd(digits, "0")}`));
};

/** The contract allows no more. */
export const PRICE_MAX = 2_147_483_647;

export const writePrice = (price: Minor, currency: string): string => wholeUnits(price, currency).toFixed(minorDigits(currency));

/** Null when the text is no price in this currency. */
export const readPrice = (text: string, currency: string): Minor | null => {
  const price = readAmount(text, currency);
  return price === null || price > PRICE_MAX ? null : price;
};

/** Signs of currencies and spaces. A minus stays, so that a negative amount is refused. */
const BESIDE_PRICE = /[^\d.,\u066b\u0660-\u0669\u06f0-\u06f9\u2212-]/g;

/** A price as a cell of a spreadsheet shows it, with its currency. Null when it is no price. */
export const readPastedPrice = (text: string, currency: string): Minor | null => readPrice(text.replaceAll(BESIDE_PRICE, ""), currency);
