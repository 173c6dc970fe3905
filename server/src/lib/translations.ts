/** Text on write: a plain string stands for the default language, blank texts for "no text" (contract §1.4). */
import type { Translations } from "@comanda/contract/shared.ts";

/** A string becomes a map of the default language alone. */
export const asTranslations = (text: string | Translations, defaultLanguage: string): Translations =>
  typeof text === "string" ? { [defaultLanguage]: text } : withoutBlanks(text);

/** On a change a string sets the default language and keeps the others; a map replaces the whole map. */
export const mergeTranslations = (current: Translations | null, text: string | Translations, defaultLanguage: string): Translations =>
  withoutBlanks(typeof text === "string" ? { ...current, [defaultLanguage]: text } : text);

/** A map in which no language has a text is the same as no text at all. */
export const orNull = (texts: Translations): Translations | null =>
  Object.values(texts).some((text) => text !== null && text !== "") ? texts : null;

export const sameTranslations = (a: Translations | null, b: Translations | null): boolean => {
  if (a === null || b === null) return a === b;
  const languages = Object.keys(a);
  return languages.length === Object.keys(b).length && languages.every((language) => a[language] === b[language]);
};

const withoutBlanks = (texts: Translations): Translations =>
  Object.fromEntries(Object.entries(texts).map(([language, text]) => [language, text === "" ? null : text]));
