/** The name of the platform stands beside names that anyone may choose: in mails, on the page that asks for consent. So it is not theirs to take. */
import { decomposed, skeletonOf } from "./confusable-names.ts";

export const PRODUCT_NAME = "Comanda";

const PRODUCT = skeletonOf(PRODUCT_NAME);

/** What the platform itself would add to its name. */
const OFFICES = new Set(
  `account accounts admin alert alerts app apps billing console customer help info invoice login mail message no noreply notice notification
  notifications official password payment payments platform reply security service staff support system team the verification`
    .split(/\s+/)
    .map(skeletonOf),
);

/** Invisible characters do not end a word. */
const wordsOf = (text: string): string[] =>
  decomposed(text)
    .split(/[^\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]+/u)
    .filter((word) => word !== "")
    .map(skeletonOf);

/** "Comanda", "Соmаnda Support", "C.o.m.a.n.d.a": it says that the platform speaks. "La Comanda" and "Comanda Bar" are restaurants. */
export const posesAsProduct = (name: string): boolean =>
  wordsOf(name)
    .filter((word) => !OFFICES.has(word))
    .join("") === PRODUCT || skeletonOf(name) === PRODUCT;

/** The name of the platform is a part of it, also when it is spelt over several words. */
export const namesProduct = (text: string): boolean => {
  const words = wordsOf(text);
  return words.some((_, start) => words.slice(start).some((__, length) => words.slice(start, start + length + 1).join("") === PRODUCT));
};
