/** Sales of one kind: the lines of the table, and the bars of the chart. */

import type { ReportKind, ReportRow, SalesReport } from "@comanda/contract/console/reports.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import type { TFunction } from "i18next";
import { channelName } from "#kit/channel-name.ts";
import { formatCount, formatMoney, wholeUnits } from "#kit/number-format.ts";
import type { Bar } from "./bars.tsx";
import type { ReportCell, ReportSheet } from "./report-labels.ts";
import { dayName, hourName, shortDay, weekdayName } from "./report-labels.ts";
import { daysOf } from "./report-periods.ts";
import type { SectionName } from "./report-section.tsx";

export const SECTIONS = {
  day: "days",
  hour: "hours",
  channel: "channels",
  dish: "dishes",
  branch: "branches",
  method: "methods",
} as const satisfies Record<ReportKind, SectionName>;
const COUNTED: Record<ReportKind, "orders" | "portions" | "payments"> = {
  day: "orders",
  hour: "orders",
  channel: "orders",
  dish: "portions",
  branch: "orders",
  method: "payments",
};
/** Bars of a chart; the table has all. */
const BARS_MAX = 15;

type Named = { t: TFunction; pick: (name: Translations) => string };

const labelOf = (by: ReportKind, { key, name }: ReportRow, { t, pick }: Named): string => {
  if (by === "day") return dayName(key);
  const [first = "", second = ""] = key.split(by === "hour" ? "-" : ":");
  if (by === "hour") return `${weekdayName(Number(first))} ${hourName(Number(second))}`;
  if (by === "channel") return `${t(`reports.types.${first as "pickup"}`)} · ${channelName(t, second)}`;
  if (by === "method") return t(`reports.methodNames.${key as "cash"}`);
  if (name !== null) return pick(name);
  if (key === "others") return t("reports.dishes.others");
  return t(by === "branch" ? "reports.branches.none" : "reports.dishes.removed", { id: key });
};

/** A day without sales is a row too. */
const rowsOf = ({ by, rows, from, to }: SalesReport): ReportRow[] => {
  if (by !== "day" || rows.length === 0) return rows;
  const sold = new Map(rows.map((row) => [row.key, row]));
  return daysOf({ from, to }).map(
    (key) => sold.get(key) ?? { key, name: null, count: 0, amount_minor: minor(0), refunded_minor: minor(0) },
  );
};

export const sheetOf = (report: SalesReport, named: Named): ReportSheet => {
  const { t } = named;
  const { by, currency } = report;
  const money = (amount: Minor): ReportCell => ({ shown: formatMoney(amount, currency), value: wholeUnits(amount, currency) });
  const refunds = (amount: Minor): ReportCell[] => (by === "method" ? [money(amount)] : []);
  return {
    columns: [
      t(`reports.${SECTIONS[by]}.column`),
      t(`reports.${COUNTED[by]}`),
      t(by === "method" ? "reports.taken" : "reports.revenue", { currency }),
      ...(by === "method" ? [t("reports.refunded", { currency })] : []),
    ],
    lines: rowsOf(report).map((row) => ({
      key: row.key,
      label: labelOf(by, row, named),
      cells: [{ shown: formatCount(row.count), value: row.count }, money(row.amount_minor), ...refunds(row.refunded_minor)],
      figure: row.key === "others" || row.count === 0 ? null : row.key,
    })),
  };
};

/** The chart is drawn from the amounts of the report, in the currency's smallest unit, as `formatMoney` takes them. */
export const barsOf = (report: SalesReport, named: Named): Bar<Minor>[] => {
  const isDays = report.by === "day";
  return rowsOf(report)
    .slice(0, isDays ? undefined : BARS_MAX)
    .map((row) => {
      const name = labelOf(report.by, row, named);
      return { key: row.key, label: isDays ? shortDay(row.key) : name, name, values: [row.amount_minor] };
    });
};
