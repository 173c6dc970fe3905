/** Kitchen times, covers and no-shows of the period. */
import type { CountedDay, ServiceReport } from "@comanda/contract/console/reports.ts";
import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { formatCount, formatPercent } from "#kit/number-format.ts";
import { Bars } from "./bars.tsx";
import type { ReportCell, ReportSheet } from "./report-labels.ts";
import { dayName, shortDay } from "./report-labels.ts";
import { type ReportScope, serviceQuery } from "./report-queries.ts";
import { ReportSection } from "./report-section.tsx";

const counted = (value: number): ReportCell => ({ shown: formatCount(value), value });

export const ServiceSections = ({ scope }: { scope: ReportScope }) => {
  const { data, error, isPending, refetch } = useQuery(serviceQuery(scope));
  const state = { error, isPending, retry: () => void refetch() };
  const files = `${scope.from}-${scope.to}`;
  return (
    <>
      <KitchenSection report={data} state={state} fileName={`kitchen-${files}`} />
      <BookingSection report={data} state={state} fileName={`bookings-${files}`} />
    </>
  );
};

type ServiceSectionProps = {
  report: ServiceReport | undefined;
  state: { error: Error | null; isPending: boolean; retry: () => void };
  fileName: string;
};

const KitchenSection = ({ report, state, fileName }: ServiceSectionProps) => {
  const { t } = useTranslation();
  const minutes = (value: number): string => t("reports.minutes", { value: formatCount(value) });
  const sheet: ReportSheet | null = report
    ? {
        columns: [t("reports.kitchen.column"), t("reports.kitchen.tickets"), t("reports.kitchen.p50"), t("reports.kitchen.p90")],
        lines: report.kitchen.rows.map(({ station, tickets, p50_minutes, p90_minutes }) => ({
          key: station ?? "all",
          label: station ?? t("reports.kitchen.all"),
          cells: [
            counted(tickets),
            { shown: minutes(p50_minutes), value: p50_minutes },
            { shown: minutes(p90_minutes), value: p90_minutes },
          ],
          figure: null,
        })),
      }
    : null;
  const bars =
    report?.kitchen.rows.map(({ station, p50_minutes, p90_minutes }) => {
      const name = station ?? t("reports.kitchen.all");
      return { key: station ?? "all", label: name, name, values: [p50_minutes, p90_minutes] };
    }) ?? [];
  const series = [t("reports.kitchen.p50"), t("reports.kitchen.p90")];
  return (
    <ReportSection
      name="kitchen"
      fileName={fileName}
      state={state}
      sheet={sheet}
      above={report?.kitchen.is_cut && <Text size="sm">{t("reports.kitchen.cut")}</Text>}
      chart={<Bars title={t("reports.kitchen.title")} bars={bars} series={series} format={minutes} scaleMin={1} isSideways />}
    />
  );
};

const sumOf = (days: readonly CountedDay[], name: "bookings" | "covers" | "walk_in_covers" | "no_shows"): number =>
  days.reduce((sum, day) => sum + day[name], 0);

const BookingSection = ({ report, state, fileName }: ServiceSectionProps) => {
  const { t } = useTranslation();
  const days = report?.bookings ?? [];
  const columns = ["bookings", "covers", "walk_in_covers", "no_shows"] as const;
  const sheet: ReportSheet | null = report
    ? {
        columns: [t("reports.day"), ...columns.map((name) => t(`reports.bookings.${name}`))],
        lines: days.map((day) => ({
          key: day.date,
          label: dayName(day.date),
          cells: columns.map((name) => counted(day[name])),
          figure: null,
        })),
      }
    : null;
  const [booked, noShows] = [sumOf(days, "bookings"), sumOf(days, "no_shows")];
  const bars = days.map(({ date, covers, no_shows }) => ({
    key: date,
    label: shortDay(date),
    name: dayName(date),
    values: [covers, no_shows],
  }));
  const series = [t("reports.bookings.covers"), t("reports.bookings.no_shows")];
  return (
    <ReportSection
      name="bookings"
      fileName={fileName}
      state={state}
      sheet={sheet}
      above={
        days.length > 0 && (
          <dl className="report-figures figures">
            {columns.map((name) => (
              <div key={name}>
                <dt>{t(`reports.bookings.${name}`)}</dt>
                <dd>
                  {formatCount(sumOf(days, name))}
                  {name === "no_shows" && booked > 0 && ` (${formatPercent(noShows, booked)})`}
                </dd>
              </div>
            ))}
          </dl>
        )
      }
      chart={<Bars title={t("reports.bookings.title")} bars={bars} series={series} format={formatCount} scaleMin={1} />}
    />
  );
};
