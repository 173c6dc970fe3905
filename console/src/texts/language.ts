/** Which language is spoken, and the clock and numbers that go with it. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en.ts";

export const LANGUAGES = ["en", "ar"] as const;
export type Language = (typeof LANGUAGES)[number];
const KEPT = "comanda.language";

type Loose<T> = { [K in keyof T]: T[K] extends string ? string : Loose<T[K]> };
export type Texts = Loose<typeof en>;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: Texts };
  }
}

const isLanguage = (text: string | null | undefined): text is Language => LANGUAGES.some((language) => language === text);

const wished = (): Language => {
  const kept = readKept();
  if (isLanguage(kept)) return kept;
  return navigator.language.startsWith("ar") ? "ar" : "en";
};

const readKept = (): string | null => {
  try {
    return localStorage.getItem(KEPT);
  } catch {
    return null;
  }
};

export const startLanguage = async (): Promise<void> => {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
    returnNull: false,
    // Scopes have a colon in their names, and so have their texts.
    nsSeparator: false,
  });
  await speak(wished(), { isKept: false });
};

/** Arabic is fetched only by those who read it. */
export const speak = async (language: Language, { isKept = true } = {}): Promise<void> => {
  if (language === "ar" && !i18next.hasResourceBundle("ar", "translation")) {
    const { ar } = await import("./ar.ts");
    i18next.addResourceBundle("ar", "translation", ar);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
  if (!isKept) return;
  try {
    localStorage.setItem(KEPT, language);
  } catch {
    // A browser that keeps nothing still speaks it until the page is closed.
  }
};

/** The account's language, unless this browser has been told otherwise. */
export const speakForPerson = async (locale: string | null): Promise<void> => {
  if (isLanguage(locale) && !isLanguage(readKept()) && locale !== spoken()) await speak(locale, { isKept: false });
};

export const spoken = (): Language => (i18next.language === "ar" ? "ar" : "en");

/** Digits stay 0-9 in Arabic too: tokens, codes and figures stand side by side here. */
export const numberLocale = (): string => (spoken() === "ar" ? "ar-u-nu-latn" : "en");
