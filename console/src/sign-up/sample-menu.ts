/** A menu to begin with: eight dishes that the owner replaces later. */

import type { FirstCategory } from "@comanda/contract/console/sign-up.ts";
import type { Minor } from "@comanda/contract/minor.ts";
import { minorUnits } from "#kit/number-format.ts";

type SampleNames = { en: string; ar: string; it: string };
type SampleCategory = { name: SampleNames; dishes: readonly { name: SampleNames; price: number }[] };

/** Prices as a place in Europe or North America would have them. */
const SAMPLE: readonly SampleCategory[] = [
  {
    name: { en: "Starters", ar: "المقبلات", it: "Antipasti" },
    dishes: [
      { name: { en: "Soup of the day", ar: "شوربة اليوم", it: "Zuppa del giorno" }, price: 6.5 },
      { name: { en: "Green salad", ar: "سلطة خضراء", it: "Insalata verde" }, price: 7 },
    ],
  },
  {
    name: { en: "Mains", ar: "الأطباق الرئيسية", it: "Secondi" },
    dishes: [
      { name: { en: "Grilled chicken", ar: "دجاج مشوي", it: "Pollo alla griglia" }, price: 14.5 },
      { name: { en: "Fish with lemon", ar: "سمك بالليمون", it: "Pesce al limone" }, price: 18 },
      { name: { en: "Vegetable pasta", ar: "معكرونة بالخضار", it: "Pasta alle verdure" }, price: 12 },
    ],
  },
  {
    name: { en: "Drinks", ar: "المشروبات", it: "Bevande" },
    dishes: [
      { name: { en: "Water", ar: "ماء", it: "Acqua" }, price: 2.5 },
      { name: { en: "Lemonade", ar: "ليموناضة", it: "Limonata" }, price: 4 },
      { name: { en: "Coffee", ar: "قهوة", it: "Caffè" }, price: 3 },
    ],
  },
];

/** Roughly what a price of 1 is elsewhere. A currency that is not listed is taken as 1. */
const SCALE: Record<string, number> = {
  AED: 4,
  AMD: 400,
  ARS: 1000,
  BHD: 0.4,
  BRL: 5,
  CLP: 900,
  CNY: 7,
  COP: 4000,
  CZK: 25,
  DKK: 7,
  DZD: 130,
  EGP: 40,
  GEL: 3,
  HKD: 8,
  HUF: 400,
  IDR: 15_000,
  ILS: 4,
  INR: 80,
  IQD: 1300,
  IRR: 40_000,
  ISK: 140,
  JOD: 0.7,
  JPY: 150,
  KES: 130,
  KRW: 1300,
  KWD: 0.3,
  KZT: 500,
  LBP: 90_000,
  LKR: 300,
  LYD: 5,
  MAD: 10,
  MXN: 18,
  MYR: 4,
  NGN: 1500,
  NOK: 11,
  OMR: 0.4,
  PEN: 4,
  PHP: 55,
  PKR: 280,
  PLN: 4,
  QAR: 4,
  RON: 5,
  RSD: 110,
  RUB: 90,
  SAR: 4,
  SEK: 11,
  SYP: 13_000,
  THB: 35,
  TND: 3,
  TRY: 35,
  TWD: 30,
  TZS: 2500,
  UAH: 40,
  UGX: 3700,
  UYU: 40,
  UZS: 12_500,
  VND: 25_000,
  XAF: 600,
  XOF: 600,
  YER: 250,
  ZAR: 18,
};

/** Two figures are enough for a price: 4.55 dinars, 1,900 yen. */
const rounded = (amount: number): number => {
  const step = 10 ** Math.max(Math.floor(Math.log10(amount)) - 1, -2);
  return Math.round(amount / step) * step;
};

export const samplePrice = (price: number, currency: string): Minor => minorUnits(rounded(price * (SCALE[currency] ?? 1)), currency);

const inLanguages = (names: SampleNames, languages: readonly string[]): Record<string, string> =>
  Object.fromEntries(languages.map((language) => [language, names[language as keyof SampleNames] ?? names.en]));

/** In the venue's language; in Arabic countries menus have English names too. Without a translation the names are English. */
export const sampleMenu = (language: string, currency: string): FirstCategory[] => {
  const languages = language === "ar" ? ["ar", "en"] : [language];
  return SAMPLE.map(({ name, dishes }) => ({
    name: inLanguages(name, languages),
    dishes: dishes.map((dish) => ({ name: inLanguages(dish.name, languages), price_minor: samplePrice(dish.price, currency) })),
  }));
};
