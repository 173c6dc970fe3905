/** Languages in which names are written. */
import type { Translations } from "@comanda/contract/shared.ts";
import { OFFERED_LANGUAGES } from "#kit/offered-languages.ts";

export const NAME_LENGTH_MAX = 255;

/** Those that are offered, and these. */
export const withLanguages = (known: readonly string[]): string[] => [...new Set([...known, ...OFFERED_LANGUAGES])].sort();

/** The main language first, then those in which a name is written. */
export const languagesOfNames = (main: string, names: readonly Translations[], added: readonly string[]): string[] => {
  const written = names.flatMap((name) => Object.entries(name).flatMap(([code, text]) => (text === null ? [] : [code])));
  return [...new Set([main, ...written.sort(), ...added])];
};
