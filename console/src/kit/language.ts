/** The console's language and its number format. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

export const LANGUAGES = ["en", "ar"] as const;
export type ConsoleLanguage = (typeof LANGUAGES)[number];
const STORAGE_KEY = "comanda.language";

const isLanguage = (text: string | null | undefined): text is ConsoleLanguage => LANGUAGES.some((language) => language === text);

const preferredLanguage = (): ConsoleLanguage => {
  const stored = readStoredLanguage();
  if (isLanguage(stored)) return stored;
  return navigator.language.startsWith("ar") ? "ar" : "en";
};

const readStoredLanguage = (): string | null => {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
};

type TextSource = { english: object; loadArabic: () => Promise<object> };
let loadArabic: TextSource["loadArabic"] = async () => ({});

/** The texts come from above: this part knows no area. */
export const startLanguage = async (texts: TextSource): Promise<void> => {
  loadArabic = texts.loadArabic;
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: texts.english } },
    interpolation: { escapeValue: false },
    returnNull: false,
    // Text keys contain scope names, which contain a colon.
    nsSeparator: false,
  });
  await changeLanguage(preferredLanguage(), { isStored: false });
};

/** These texts load with their page. They fill in what the entry does not have. */
export const addEnglishTexts = (texts: object): void => void i18next.addResourceBundle("en", "translation", texts, true, true);

/** Arabic texts are loaded on demand. */
export const changeLanguage = async (language: ConsoleLanguage, { isStored = true } = {}): Promise<void> => {
  if (language === "ar" && !i18next.hasResourceBundle("ar", "translation")) {
    i18next.addResourceBundle("ar", "translation", await loadArabic());
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
  if (!isStored) return;
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Storage is blocked: the choice lasts until the page is closed.
  }
};

/** Applies the account's language unless one was chosen in this browser. */
export const applyPersonLanguage = async (locale: string | null): Promise<void> => {
  if (isLanguage(locale) && !isLanguage(readStoredLanguage()) && locale !== currentLanguage())
    await changeLanguage(locale, { isStored: false });
};

export const currentLanguage = (): ConsoleLanguage => (i18next.language === "ar" ? "ar" : "en");

const AMERICAN = "en-US";
let americanZones: ReadonlySet<string> | undefined;
const isAmerican = (zone: string): boolean => {
  const { getTimeZones } = Intl.Locale.prototype as { getTimeZones?: (this: Intl.Locale) => string[] | undefined };
  americanZones ??= new Set(getTimeZones?.call(new Intl.Locale(AMERICAN)) ?? []);
  return americanZones.has(zone);
};

const browserEnglish = (): string => (/^en-[A-Z]{2}$/.test(navigator.language) ? navigator.language : "en-GB");

/** Dates as the venue's country writes them: the month comes first in the United States alone. Without a country, as the browser does. */
export const dateLocale = (zone?: string): string => {
  if (currentLanguage() === "ar") return "ar-u-nu-latn";
  if (zone === undefined || !zone.includes("/") || zone.startsWith("Etc/")) return browserEnglish();
  if (isAmerican(zone)) return AMERICAN;
  return browserEnglish() === AMERICAN ? "en-GB" : browserEnglish();
};

/** Arabic also uses the digits 0-9, as in tokens and codes on the same page. */
export const numberLocale = (): string => (currentLanguage() === "ar" ? "ar-u-nu-latn" : "en");
