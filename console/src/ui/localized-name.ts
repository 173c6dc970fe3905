/** Names in several languages: the reader's language, else English, else any. */
import type { Translations } from "@comanda/contract/shared.ts";
import { useTranslation } from "react-i18next";

export const useLocalizedName = () => {
  const { i18n } = useTranslation();
  return (texts: Translations): string => texts[i18n.language] ?? texts.en ?? Object.values(texts).find((text) => text !== null) ?? "";
};

/** Adds the e-mail address: a person can choose any name. */
export const nameWithEmail = (name: string, email: string | null): string => (email === null ? name : `${name} (${email})`);
