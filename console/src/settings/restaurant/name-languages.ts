/** Languages in which names are written. */
import type { Translations } from "@comanda/contract/shared.ts";

export const NAME_LENGTH_MAX = 255;

const OFFERED = ["ar", "de", "el", "en", "es", "fa", "fr", "he", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "tr", "uk", "zh"];

/** Those that are offered, and these. */
export const withLanguages = (known: readonly string[]): string[] => [...new Set([...known, ...OFFERED])].sort();

/** The main language first, then those in which a name is written. */
export const languagesOfNames = (main: string, names: readonly Translations[], added: readonly string[]): string[] => {
  const written = names.flatMap((name) => Object.entries(name).flatMap(([code, text]) => (text === null ? [] : [code])));
  return [...new Set([main, ...written.sort(), ...added])];
};
