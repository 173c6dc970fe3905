/** Prices as people type them. */
import type { Minor } from "@comanda/contract/minor.ts";
import { readAmount } from "../orders/counter-amounts.ts";
import { minorDigits, wholeUnits } from "../ui/number-format.ts";

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
