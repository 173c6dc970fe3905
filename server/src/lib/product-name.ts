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

/** Signs that decompose to letters, and say that a name is a registered one. */
const MARKS = /[\u2120\u2122\u24C2\u24C7\u{1F12E}\u{1F16A}-\u{1F16C}]/gu;

/** The text is read twice: with such signs as letters, and without them. */
const spellings = (text: string): string[] => [text, text.replaceAll(MARKS, " ")];

/** Invisible characters do not end a word; a capital behind a small letter begins one. */
const wordsOf = (text: string): string[] =>
  decomposed(text.replaceAll(/(\p{Ll})(?=\p{Lu})/gu, "$1 "))
    .split(/[^\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]+/u)
    .filter((word) => word !== "")
    .map(skeletonOf);

/** "Comanda", "Соmаnda Support", "C.o.m.a.n.d.a": it says that the platform speaks. "La Comanda" and "Comanda Bar" are restaurants. */
export const posesAsProduct = (name: string): boolean =>
  spellings(name).some(
    (text) =>
      wordsOf(text)
        .filter((word) => !OFFICES.has(word))
        .join("") === PRODUCT || skeletonOf(text) === PRODUCT,
  );

/** The name of the platform is a part of it, also when it is spelt over several words. */
export const namesProduct = (name: string): boolean =>
  spellings(name).some((text) => {
    const words = wordsOf(text);
    return words.some((_, start) => words.slice(start).some((__, length) => words.slice(start, start + length + 1).join("") === PRODUCT));
  });
