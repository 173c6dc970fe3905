/** Fields of a change and their values, as people read them. */
import type { TFunction } from "i18next";
import { enLogs } from "../../texts/en-logs.ts";
import { numberLocale } from "../../texts/language.ts";
import { exactMoment } from "../../ui/time.tsx";
import { written } from "./diff.ts";

const FIELDS: Record<string, string> = enLogs.activity.fields;
const STATUSES: Record<string, string> = enLogs.activity.statuses;

/** `name.it` is the name in one language; a field without a word of its own is shown as it is called in the contract. */
export const labelOf = (t: TFunction, path: string): string => {
  const [field = "", ...rest] = path.split(".");
  if (FIELDS[field] === undefined) return path.replaceAll("_", " ");
  const label = t(`activity.fields.${field as keyof typeof enLogs.activity.fields}`);
  return rest.length === 0 ? label : `${label} (${rest.join(".")})`;
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

/** Amounts come in the currency's smallest unit: cents, fils, yen. */
export const writeMoney = (minor: number, currency: string): string => {
  const format = new Intl.NumberFormat(numberLocale(), { style: "currency", currency });
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
};

export const writeValue =
  (t: TFunction, currency: string) =>
  (path: string, value: unknown): string => {
    if (typeof value === "boolean") return t(value ? "activity.yes" : "activity.no");
    if (typeof value === "number" && path.endsWith("_minor")) return writeMoney(value, currency);
    if (typeof value === "string" && path === "status" && STATUSES[value] !== undefined)
      return t(`activity.statuses.${value as keyof typeof enLogs.activity.statuses}`);
    return typeof value === "string" && INSTANT.test(value) ? exactMoment(value) : written(value);
  };
