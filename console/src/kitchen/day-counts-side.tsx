/** What is to be cooked over all tickets. A tap lights the tickets that hold the dish. */
import { useTranslation } from "react-i18next";
import { useLocalizedName } from "#kit/localized-name.ts";
import type { DayCount } from "./day-counts.ts";

type SideProps = { counts: readonly DayCount[]; litKey: string | null; onLight: (key: string | null) => void };

export const DayCountsSide = ({ counts, litKey, onLight }: SideProps) => {
  const { t } = useTranslation();
  const nameOf = useLocalizedName();
  return (
    <aside className="kd-side" aria-label={t("kitchen.counts")}>
      <h2>{t("kitchen.counts")}</h2>
      {counts.length === 0 && <p className="kd-quiet">{t("kitchen.countsNone")}</p>}
      <ul className="kd-counts">
        {counts.map(({ key, line, total }) => (
          <li key={key}>
            <button type="button" className="kd-count" aria-pressed={litKey === key} onClick={() => onLight(litKey === key ? null : key)}>
              <b className="kd-quantity figures">{total}</b>
              <span>
                {nameOf(line.name)}
                {line.variant_name && <span className="kd-size"> {nameOf(line.variant_name)}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </aside>
  );
};
