/** Weekdays and hours. Each cell says its number of orders, so that the colour is never alone. */
import type { ReportRow } from "@comanda/contract/console/reports.ts";
import { useTranslation } from "react-i18next";
import { formatCount } from "#kit/number-format.ts";
import { hourName, weekdayName } from "./report-labels.ts";

type HeatMapProps = { rows: readonly ReportRow[]; onOpen: (key: string, label: string) => void };

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

export const HeatMap = ({ rows, onOpen }: HeatMapProps) => {
  const { t } = useTranslation();
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  const most = Math.max(1, ...counts.values());
  const hours = [...new Set(rows.map(({ key }) => Number(key.split("-")[1])))].sort((a, b) => a - b);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
    <section className="report-scroll" aria-label={t("reports.chartOf", { title: t("reports.hours.title") })} tabIndex={0}>
      <table className="heat-map figures">
        <thead>
          <tr>
            <td />
            {hours.map((hour) => (
              <th key={hour} scope="col">
                {hourName(hour)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {WEEKDAYS.map((weekday) => (
            <tr key={weekday}>
              <th scope="row">{weekdayName(weekday)}</th>
              {hours.map((hour) => {
                const key = `${weekday}-${hour}`;
                const count = counts.get(key) ?? 0;
                const label = `${weekdayName(weekday)} ${hourName(hour)}`;
                return (
                  <td key={hour}>
                    {count > 0 && (
                      <button
                        type="button"
                        style={{ "--heat": `${Math.round(8 + (count / most) * 52)}%` } as React.CSSProperties}
                        aria-label={t("reports.hours.cell", { label, orders: formatCount(count) })}
                        onClick={() => onOpen(key, label)}
                      >
                        {formatCount(count)}
                      </button>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
