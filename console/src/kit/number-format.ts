/** Numbers and durations in the reader's language. */
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { durationParts } from "./date-time-format.ts";
import { numberLocale } from "./language.ts";

const inUnit = (value: number, unit: string, unitDisplay: "narrow" | "short" = "short"): string =>
  new Intl.NumberFormat(numberLocale(), { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }).format(value);

export const formatMs = (ms: number): string => (ms < 1000 ? inUnit(ms, "millisecond") : inUnit(ms / 1000, "second"));

/** Rounds down: never 100 % after a failure. */
export const formatPercent = (part: number, whole: number): string =>
  new Intl.NumberFormat(numberLocale(), {
    style: "percent",
    maximumFractionDigits: 1,
    roundingMode: "floor",
  } as Intl.NumberFormatOptions).format(part / whole);

const DAY_SECONDS = 86_400;

/** Shows at most two units. */
export const formatDuration = (seconds: number): string => {
  if (seconds >= 2 * DAY_SECONDS) return inUnit(Math.floor(seconds / DAY_SECONDS), "day");
  return durationParts(seconds * 1000)
    .slice(0, 2)
    .filter(({ value }, place) => place === 0 || value > 0)
    .map(({ value, unit }) => inUnit(value, unit))
    .join(" ");
};

const moneyFormats = new Map<string, Intl.NumberFormat>();

/** A format is kept: making one takes longer than using it. */
const moneyFormatOf = (currency: string): Intl.NumberFormat => {
  const key = `${numberLocale()} ${currency}`;
  const format = moneyFormats.get(key) ?? new Intl.NumberFormat(numberLocale(), { style: "currency", currency });
  moneyFormats.set(key, format);
  return format;
};

/** How many digits the smallest unit has: 2 for cents, 3 for fils, 0 for yen. */
export const minorDigits = (currency: string): number => moneyFormatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;

/** Amounts come in the currency's smallest unit: cents, fils, yen. A computed amount is marked with `minor`. */
export const formatMoney = (amount: Minor, currency: string): string => moneyFormatOf(currency).format(wholeUnits(amount, currency));

/** The amount as a plain number in the currency's whole unit, for files that spreadsheets read. */
export const wholeUnits = (amount: Minor, currency: string): number => amount / 10 ** minorDigits(currency);

/** The amount of a number field, which edits whole units. */
export const minorUnits = (whole: number, currency: string): Minor => minor(Math.round(whole * 10 ** minorDigits(currency)));

export const formatCount = (count: number): string => new Intl.NumberFormat(numberLocale()).format(count);
