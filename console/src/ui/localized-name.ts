/** Names in several languages: the reader's language, else English, else any. */
import type { Translations } from "@comanda/contract/shared.ts";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";

/** The same function until the language changes. */
export const useLocalizedName = () => {
  const { language } = useTranslation().i18n;
  return useCallback(
    (texts: Translations): string => texts[language] ?? texts.en ?? Object.values(texts).find((text) => text !== null) ?? "",
    [language],
  );
};

/** Adds the e-mail address: a person can choose any name. */
export const nameWithEmail = (name: string, email: string | null): string => (email === null ? name : `${name} (${email})`);
