/** Quantities as people write and read them: at most three decimals. */
import { latinDigits } from "@comanda/contract/digits.ts";
import { numberLocale } from "#kit/language.ts";

const QUANTITY_MAX = 1_000_000;

/** Null when the text is no quantity. A comma separates decimals too, and so does the Arabic ٫. */
export const readQuantity = (text: string): number | null => {
  const match = /^(\d{1,7})?(?:[.,\u066b](\d{0,3}))?$/.exec(latinDigits(text.trim()));
  if (!match || (match[1] === undefined && !match[2])) return null;
  const quantity = Number(`${match[1] ?? "0"}.${match[2] || "0"}`);
  return quantity <= QUANTITY_MAX ? quantity : null;
};

/** Subtracts without the error of binary fractions. */
export const difference = (quantity: number, other: number): number => Math.round((quantity - other) * 1000) / 1000;

export const formatQuantity = (quantity: number): string =>
  new Intl.NumberFormat(numberLocale(), { maximumFractionDigits: 3 }).format(quantity);

export const formatChange = (quantity: number): string =>
  new Intl.NumberFormat(numberLocale(), { maximumFractionDigits: 3, signDisplay: "exceptZero" }).format(quantity);

/** What a key of the pad makes of the text. Null is the key that takes the last character back. */
export const typeKey = (text: string, key: string | null): string => {
  if (key === null) return text.slice(0, -1);
  const next = key === "." && text === "" ? "0." : `${text}${key}`;
  return next === "" || readQuantity(next) !== null || next === "0." ? next : text;
};
