/** Labels and formatted values of changed fields. */
import { minor } from "@comanda/contract/minor.ts";
import type { TFunction } from "i18next";
import { formatPlain } from "#kit/diff.ts";
import { formatMoney } from "#kit/number-format.ts";
import { formatDateTime } from "#kit/relative-time.tsx";
import { enLogs } from "../texts-logs.en.ts";

const FIELDS: Record<string, string> = enLogs.activity.fields;
const STATUSES: Record<string, string> = enLogs.activity.statuses;

/** `name.it` is the name in one language. A field without a label shows its contract name. */
export const fieldLabelOf = (t: TFunction, path: string): string => {
  const [field = "", ...rest] = path.split(".");
  if (FIELDS[field] === undefined) return path.replaceAll("_", " ");
  const label = t(`activity.fields.${field as keyof typeof enLogs.activity.fields}`);
  return rest.length === 0 ? label : `${label} (${rest.join(".")})`;
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;

export const formatFieldValue =
  (t: TFunction, currency: string) =>
  (path: string, value: unknown): string => {
    if (typeof value === "boolean") return t(value ? "activity.yes" : "activity.no");
    if (typeof value === "number" && path.endsWith("_minor")) return formatMoney(minor(value), currency);
    if (typeof value === "string" && path === "status" && STATUSES[value] !== undefined)
      return t(`activity.statuses.${value as keyof typeof enLogs.activity.statuses}`);
    return typeof value === "string" && INSTANT.test(value) ? formatDateTime(value) : formatPlain(value);
  };
