/** The console's language and its number format. */
import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en.ts";
import type { enBookings } from "./en-bookings.ts";
import type { enCharges } from "./en-charges.ts";
import type { enDeveloper } from "./en-developer.ts";
import type { enExperiences } from "./en-experiences.ts";
import type { enFloor } from "./en-floor.ts";
import type { enGiftCards } from "./en-gift-cards.ts";
import type { enGuests } from "./en-guests.ts";
import type { enHours } from "./en-hours.ts";
import type { enKitchen } from "./en-kitchen.ts";
import type { enLogs } from "./en-logs.ts";
import type { enMemberships } from "./en-memberships.ts";
import type { enMenu } from "./en-menu.ts";
import type { enMenuToday } from "./en-menu-today.ts";
import type { enMenuTools } from "./en-menu-tools.ts";
import type { enMessages } from "./en-messages.ts";
import type { enNewOrder } from "./en-new-order.ts";
import type { enReports } from "./en-reports.ts";
import type { enReviews } from "./en-reviews.ts";
import type { enScreens } from "./en-screens.ts";
import type { enService } from "./en-service.ts";
import type { enShifts } from "./en-shifts.ts";
import type { enSignUp } from "./en-sign-up.ts";
import type { enSignature } from "./en-signature.ts";
import type { enStock } from "./en-stock.ts";
import type { enTeam } from "./en-team.ts";
import type { enTill } from "./en-till.ts";
import type { enVenueFile } from "./en-venue-file.ts";

export const LANGUAGES = ["en", "ar"] as const;
export type ConsoleLanguage = (typeof LANGUAGES)[number];
const STORAGE_KEY = "comanda.language";

type WithStringLeaves<T> = { [K in keyof T]: T[K] extends string ? string : WithStringLeaves<T[K]> };
export type ConsoleTexts = WithStringLeaves<
  typeof en &
    typeof enSignature &
    typeof enDeveloper &
    typeof enLogs &
    typeof enMenu &
    typeof enMenuToday &
    typeof enMenuTools &
    typeof enService &
    typeof enGuests &
    typeof enGiftCards &
    typeof enReviews &
    typeof enStock &
    typeof enShifts &
    typeof enMessages &
    typeof enExperiences &
    typeof enFloor &
    typeof enHours &
    typeof enCharges &
    typeof enTill &
    typeof enVenueFile &
    typeof enTeam &
    typeof enMemberships &
    typeof enReports &
    typeof enScreens & { newOrder: typeof enNewOrder; kitchen: typeof enKitchen; bookings: typeof enBookings; signUp: typeof enSignUp }
>;

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: ConsoleTexts };
  }
}

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

export const startLanguage = async (): Promise<void> => {
  await i18next.use(initReactI18next).init({
    lng: "en",
    fallbackLng: "en",
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
    returnNull: false,
    // Text keys contain scope names, which contain a colon.
    nsSeparator: false,
  });
  await changeLanguage(preferredLanguage(), { isStored: false });
};

/** For texts that load with their page. They fill in what the entry does not have. */
export const addEnglishTexts = (texts: object): void => void i18next.addResourceBundle("en", "translation", texts, true, true);

/** Arabic texts are loaded on demand. */
export const changeLanguage = async (language: ConsoleLanguage, { isStored = true } = {}): Promise<void> => {
  if (language === "ar" && !i18next.hasResourceBundle("ar", "translation")) {
    const { ar } = await import("./ar.ts");
    i18next.addResourceBundle("ar", "translation", ar);
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
