/** Texts that venues wrote in several languages: the reader's, else English, else whichever there is. */
import type { Translations } from "@comanda/contract/shared.ts";
import { useTranslation } from "react-i18next";

export const usePick = () => {
  const { i18n } = useTranslation();
  return (texts: Translations): string => texts[i18n.language] ?? texts.en ?? Object.values(texts).find((text) => text !== null) ?? "";
};

/** A name can be changed to anybody's; the address says who it was. */
export const nameWithMail = (name: string, email: string | null): string => (email === null ? name : `${name} (${email})`);
