/** Today so far, against the same weekday of the last weeks until the same time. */

import type { ComparedDay, TodayReport } from "@comanda/contract/console/reports.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { useTranslation } from "react-i18next";
import { formatCount, formatMoney, wholeUnits } from "#kit/number-format.ts";
import { formatClock } from "#kit/venue-time.ts";
import { Bars } from "./bars.tsx";
import type { ReportSheet } from "./report-labels.ts";
import { dayName, hourName, weekdayOfDate } from "./report-labels.ts";
import { ReportSection } from "./report-section.tsx";

type TodayProps = { report: TodayReport; onOpenDay: (date: string, label: string) => void };

const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);

const averageAmount = (amounts: readonly Minor[]): Minor => minor(average(amounts));

const atHour = (days: readonly ComparedDay[], hour: number): Minor[] =>
  days.map(({ hours }) => hours.find((one) => one.hour === hour)?.revenue_minor ?? minor(0));

export const Today = ({ report, onOpenDay }: TodayProps) => {
  const { t } = useTranslation();
  const { today, currency } = report;
  const weeks = report.weeks.filter(({ is_closed }) => !is_closed);
  const hours = [...new Set([today, ...weeks].flatMap((day) => day.hours.map(({ hour }) => hour)))].sort((a, b) => a - b);
  const money = (amount: Minor): string => formatMoney(amount, currency);
  const sheet: ReportSheet = {
    columns: [t("reports.day"), t("reports.orders"), t("reports.revenue", { currency })],
    lines: [today, ...report.weeks].map((day, place) => ({
      key: day.date,
      label: place === 0 ? t("reports.today.today", { day: dayName(day.date) }) : dayName(day.date),
      cells: [
        { shown: day.is_closed && place > 0 ? "–" : formatCount(day.orders), value: day.orders },
        { shown: day.is_closed && place > 0 ? "–" : money(day.revenue_minor), value: wholeUnits(day.revenue_minor, currency) },
      ],
      figure: day.date,
    })),
  };
  const bars = hours.map((hour) => ({
    key: String(hour),
    label: hourName(hour),
    name: hourName(hour),
    values: [atHour([today], hour)[0] ?? minor(0), averageAmount(atHour(weeks, hour))],
  }));
  const series = [t("reports.today.bar"), t("reports.today.usual", { day: weekdayOfDate(today.date) })];
  return (
    <ReportSection
      name="today"
      fileName={`today-${today.date}`}
      state={{ error: null, isPending: false, retry: () => undefined }}
      sheet={sheet}
      onOpen={onOpenDay}
      above={<TodayFigures report={report} />}
      chart={bars.length > 0 && <Bars title={t("reports.today.title")} bars={bars} series={series} format={money} scaleMin={minor(1)} />}
    />
  );
};

const TodayFigures = ({ report: { today, weeks, at, currency, zone } }: { report: TodayReport }) => {
  const { t } = useTranslation();
  const compared = weeks.filter(({ is_closed }) => !is_closed);
  const [orders, revenue] = [average(compared.map((day) => day.orders)), averageAmount(compared.map((day) => day.revenue_minor))];
  const against = (value: string): string => t("reports.today.against", { day: weekdayOfDate(today.date), value });
  return (
    <dl className="report-figures figures">
      <div className="report-revenue">
        <dt>{t("reports.today.revenue", { time: formatClock(at, zone) })}</dt>
        <dd>{formatMoney(today.revenue_minor, currency)}</dd>
        <dd className="report-usual">{compared.length === 0 ? t("reports.today.none") : against(formatMoney(revenue, currency))}</dd>
      </div>
      <div className="report-order-count">
        <dt>{t("reports.orders")}</dt>
        <dd>{formatCount(today.orders)}</dd>
        <dd className="report-usual">{compared.length > 0 && against(formatCount(orders))}</dd>
      </div>
    </dl>
  );
};
