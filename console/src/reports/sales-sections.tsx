/** Sales of the period by day, hour, channel, dish, branch and payment method. */
import type { ReportKind, ReportRow, SalesReport } from "@comanda/contract/console/reports.ts";
import { useQuery } from "@tanstack/react-query";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "../ui/localized-name.ts";
import { formatCount, formatMoney, wholeUnits } from "../ui/number-format.ts";
import { Bars } from "./bars.tsx";
import { HeatMap } from "./heat-map.tsx";
import { dayName, hourName, shortDay, weekdayName } from "./report-labels.ts";
import { daysOf } from "./report-periods.ts";
import { type ReportFigure, type ReportScope, salesQuery } from "./report-queries.ts";
import { ReportSection, type SectionName } from "./report-section.tsx";
import type { ReportCell, ReportSheet } from "./report-table.ts";

const SECTIONS = {
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

type Named = { t: TFunction; pick: ReturnType<typeof useLocalizedName> };

const labelOf = (by: ReportKind, { key, name }: ReportRow, { t, pick }: Named): string => {
  if (by === "day") return dayName(key);
  const [first = "", second = ""] = key.split(by === "hour" ? "-" : ":");
  if (by === "hour") return `${weekdayName(Number(first))} ${hourName(Number(second))}`;
  if (by === "channel") return `${t(`reports.types.${first as "pickup"}`)} · ${second}`;
  if (by === "method") return t(`reports.methodNames.${key as "cash"}`);
  if (name !== null) return pick(name);
  if (key === "others") return t("reports.dishes.others");
  return t(by === "branch" ? "reports.branches.none" : "reports.dishes.removed", { id: key });
};

/** A day without sales is a row too. */
const rowsOf = ({ by, rows, from, to }: SalesReport): ReportRow[] => {
  if (by !== "day" || rows.length === 0) return rows;
  const sold = new Map(rows.map((row) => [row.key, row]));
  return daysOf({ from, to }).map((key) => sold.get(key) ?? { key, name: null, count: 0, amount_minor: 0, refunded_minor: 0 });
};

const sheetOf = (report: SalesReport, named: Named): ReportSheet => {
  const { t } = named;
  const { by, currency } = report;
  const money = (minor: number): ReportCell => ({ shown: formatMoney(minor, currency), value: wholeUnits(minor, currency) });
  const refunds = (minor: number): ReportCell[] => (by === "method" ? [money(minor)] : []);
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

type SalesSectionProps = { scope: ReportScope; by: ReportKind; onOpen: (figure: ReportFigure) => void };

export const SalesSection = ({ scope, by, onOpen }: SalesSectionProps) => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { data, error, isPending, refetch } = useQuery(salesQuery(scope, by));
  const sheet = data ? sheetOf(data, { t, pick }) : null;
  const name = SECTIONS[by];
  const open = (key: string, title: string): void => onOpen({ by, key, title });
  return (
    <ReportSection
      name={name}
      fileName={`${name}-${scope.from}-${scope.to}`}
      state={{ error, isPending, retry: () => void refetch() }}
      sheet={sheet}
      onOpen={open}
      above={
        data &&
        sheet &&
        by === "day" && <PeriodFigures report={data} onOpen={() => onOpen({ by, key: null, title: t("reports.wholePeriod") })} />
      }
      chart={data && sheet && <SalesChart report={data} sheet={sheet} onOpen={open} />}
    />
  );
};

const PeriodFigures = ({ report, onOpen }: { report: SalesReport; onOpen: () => void }) => {
  const { t } = useTranslation();
  const orders = report.rows.reduce((sum, { count }) => sum + count, 0);
  const revenue = report.rows.reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const figures = [
    ["revenueTotal", formatMoney(revenue, report.currency)],
    ["orders", formatCount(orders)],
    ["averageOrder", formatMoney(orders === 0 ? 0 : Math.round(revenue / orders), report.currency)],
  ] as const;
  return (
    <dl className="report-figures figures">
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{t(`reports.${name}`)}</dt>
          <dd>
            {orders > 0 && name === "orders" ? (
              <button type="button" className="report-open" aria-label={t("reports.openTotal", { value })} onClick={onOpen}>
                {value}
              </button>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
};

type SalesChartProps = { report: SalesReport; sheet: ReportSheet; onOpen: (key: string, label: string) => void };

const SalesChart = ({ report, sheet, onOpen }: SalesChartProps): ReactNode => {
  const { t } = useTranslation();
  const { by, currency } = report;
  if (by === "hour") return <HeatMap rows={report.rows} onOpen={onOpen} />;
  const isDays = by === "day";
  const lines = isDays ? sheet.lines : sheet.lines.slice(0, BARS_MAX);
  const bars = lines.map(({ key, label, cells }) => ({
    key,
    label: isDays ? shortDay(key) : label,
    name: label,
    values: [Number(cells[1]?.value ?? 0)],
  }));
  return (
    <Bars
      title={t(`reports.${SECTIONS[by]}.title`)}
      bars={bars}
      series={[t("reports.revenueTotal")]}
      format={(minor) => formatMoney(minor, currency)}
      isSideways={!isDays}
      onOpen={(key, name) => {
        if (key !== "others") onOpen(key, name);
      }}
    />
  );
};
