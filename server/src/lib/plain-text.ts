/** Makes text from guests, owners and apps safe to show outside the API: in mail, text messages, terminals and to agents. */
import { because, type Refusal } from "./errors.ts";

/**
 * Characters that show nothing, or change how the rest is shown or read: controls, bidirectional overrides, tags, fillers.
 * Joiners and the first variation selectors stay: Persian, Hindi and emoji need them.
 */
const INVISIBLE =
  /[[\p{Cc}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\uFFF9-\uFFFB]--\p{Join_Control}--[\uFE00-\uFE0F]]/gv;
const BREAK = /[\n\t]/;

/** Tabs and line breaks are text. */
const CONTROL = /[\p{Cc}--[\t\n\r]]/gv;

/** What PostgreSQL cannot store. Null: the text can be stored. */
export const textFault = (text: string): Refusal | null => {
  if (text.includes("\0")) return because("Must not contain the character U+0000.", "nul_character");
  return text.isWellFormed() ? null : because("Must be well-formed Unicode text.", "not_unicode");
};

export const hasControls = (text: string): boolean => text.search(CONTROL) >= 0;

export const withoutControls = (text: string): string => text.replaceAll(CONTROL, "");

/** Several lines, without control characters that a terminal or mail program interprets. */
export const plainText = (text: string): string => text.replaceAll(INVISIBLE, (character) => (BREAK.test(character) ? character : ""));

/** One line of at most `lengthMax` characters. */
export const plainLine = (text: string, lengthMax: number): string => {
  const line = plainText(text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")).trim();
  const characters = [...line];
  return characters.length <= lengthMax ? line : `${characters.slice(0, lengthMax - 1).join("")}…`;
};

const NAME_LENGTH_MAX = 60;
/** Seven digits or more, as in a phone number: a phone would offer to call it. */
const PHONE_NUMBER = /(?:\p{Nd}[\s().\-/]*){7,}/gu;

/** A name in a message: one line, and nothing in it becomes a link, a mail address or a number to call. */
export const plainName = (name: string): string =>
  plainLine(
    plainLine(name, 500)
      .replaceAll(/\p{L}[\p{L}\d+.-]*:\/*(?=\S)/giu, (scheme) => scheme.replace(/:\/*$/u, ": "))
      .replaceAll(PHONE_NUMBER, " ")
      .replaceAll(/([.。．｡․﹒])(?=[^\s.])/gu, "$1 ")
      .replaceAll(/[@＠\\/]+/gu, " "),
    NAME_LENGTH_MAX,
  );

/** Cleans every text inside a JSON value. Member names come from the contract, except language codes, which cannot hold such characters. */
export const plainValues = (value: unknown): unknown => {
  if (typeof value === "string") return plainText(value);
  if (Array.isArray(value)) return value.map(plainValues);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, plainValues(entry)]));
};

/** Escapes control characters in JSON: a program reads the same value, a terminal interprets nothing. */
export const escapedJson = (json: string): string =>
  json.replaceAll(INVISIBLE, (character) => (BREAK.test(character) ? character : escapeOf(character)));

const escapeOf = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
