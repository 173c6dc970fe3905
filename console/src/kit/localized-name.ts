/** Names in several languages: the reader's language, else the venue's main one, else any. */
import type { Translations } from "@comanda/contract/shared.ts";
import { createContext, use, useCallback } from "react";
import { useTranslation } from "react-i18next";

/** The main language of the venue whose page is shown. */
export const VenueLanguage = createContext<string | null>(null);

/** An empty text is none: what was emptied in the editor must not hide the venue's own. */
export const pickText = (texts: Translations, languages: readonly (string | null | undefined)[]): string => {
  const found = languages.map((language) => texts[language ?? ""]).find((text) => text);
  return found ?? Object.values(texts).find((text) => text) ?? "";
};

/** Keeps the function until the language changes. A venue outside of its own pages brings its language along. */
export const useLocalizedName = () => {
  const { language } = useTranslation().i18n;
  const ofVenue = use(VenueLanguage);
  return useCallback(
    (texts: Translations, ofOther?: string): string => pickText(texts, [language, ofOther ?? ofVenue]),
    [language, ofVenue],
  );
};

/** Adds the e-mail address: a person can choose any name. */
export const nameWithEmail = (name: string, email: string | null): string => (email === null ? name : `${name} (${email})`);
