/** Sales of the period by day, hour, channel, dish, branch and payment method. */

import type { ReportKind, SalesReport } from "@comanda/contract/console/reports.ts";
import { type Minor, minor, sumOf } from "@comanda/contract/minor.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatCount, formatMoney } from "#kit/number-format.ts";
import { type Bar, Bars } from "./bars.tsx";
import { HeatMap } from "./heat-map.tsx";
import { type ReportFigure, type ReportScope, salesQuery } from "./report-queries.ts";
import { ReportSection } from "./report-section.tsx";
import { barsOf, SECTIONS, sheetOf } from "./sales-sheet.ts";

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
      chart={data && <SalesChart report={data} bars={barsOf(data, { t, pick })} onOpen={open} />}
    />
  );
};

const PeriodFigures = ({ report, onOpen }: { report: SalesReport; onOpen: () => void }) => {
  const { t } = useTranslation();
  const orders = report.rows.reduce((sum, { count }) => sum + count, 0);
  const revenue = sumOf(report.rows.map(({ amount_minor }) => amount_minor));
  const figures = [
    ["revenueTotal", formatMoney(revenue, report.currency)],
    ["orders", formatCount(orders)],
    ["averageOrder", formatMoney(minor(orders === 0 ? 0 : Math.round(revenue / orders)), report.currency)],
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

type SalesChartProps = { report: SalesReport; bars: Bar<Minor>[]; onOpen: (key: string, label: string) => void };

const SalesChart = ({ report, bars, onOpen }: SalesChartProps): ReactNode => {
  const { t } = useTranslation();
  const { by, currency } = report;
  if (by === "hour") return <HeatMap rows={report.rows} onOpen={onOpen} />;
  return (
    <Bars
      title={t(`reports.${SECTIONS[by]}.title`)}
      bars={bars}
      series={[t("reports.revenueTotal")]}
      format={(amount) => formatMoney(amount, currency)}
      scaleMin={minor(1)}
      isSideways={by !== "day"}
      onOpen={(key, name) => {
        if (key !== "others") onOpen(key, name);
      }}
    />
  );
};
