/** Numbers with their units, as the reader's language writes them. */
import { numberLocale } from "../texts/language.ts";
import { durationParts } from "./moments.ts";

const inUnit = (value: number, unit: string, unitDisplay: "narrow" | "short" = "short"): string =>
  new Intl.NumberFormat(numberLocale(), { style: "unit", unit, unitDisplay, maximumFractionDigits: 1 }).format(value);

export const writeMs = (ms: number): string => (ms < 1000 ? inUnit(ms, "millisecond") : inUnit(ms / 1000, "second"));

/** Never 100 % while one has failed. */
export const writePercent = (part: number, whole: number): string =>
  new Intl.NumberFormat(numberLocale(), {
    style: "percent",
    maximumFractionDigits: 1,
    roundingMode: "floor",
  } as Intl.NumberFormatOptions).format(part / whole);

const DAY_SECONDS = 86_400;

/** The two largest units are enough. */
export const writeSpan = (seconds: number): string => {
  if (seconds >= 2 * DAY_SECONDS) return inUnit(Math.floor(seconds / DAY_SECONDS), "day");
  return durationParts(seconds * 1000)
    .slice(0, 2)
    .filter(({ value }, place) => place === 0 || value > 0)
    .map(({ value, unit }) => inUnit(value, unit))
    .join(" ");
};
