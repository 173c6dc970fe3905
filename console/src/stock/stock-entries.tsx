/** The ledger of one ingredient in a branch. */
import "./stock.css";
import type { StockLedger } from "@comanda/contract/console/stock.ts";
import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { useLocalizedName } from "#kit/localized-name.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { LevelMarks, Quantity } from "./level-texts.tsx";
import { stockEntriesQuery } from "./stock-queries.ts";
import { enStock } from "./texts.en.ts";

addEnglishTexts(enStock);

export const StockEntriesPage = () => {
  const { t } = useTranslation();
  const pick = useLocalizedName();
  const { ingredient } = useParams({ from: "/inside/v/$venue/stock/entries/$ingredient" });
  const venue = useVenue();
  const ledger = useQuery(stockEntriesQuery(venue, /^[1-9][0-9]{0,15}$/.test(ingredient) ? Number(ingredient) : 0, null));
  const name = ledger.data ? pick(ledger.data.level.name) : t("stock.entries");
  return (
    <Page
      title={<bdi>{name}</bdi>}
      name={name}
      back={
        <Link to="/v/$venue/stock" params={{ venue }} className="back-link">
          {t("stock.backToStock")}
        </Link>
      }
      isNarrow
    >
      {ledger.error && !ledger.data && <ErrorAlert error={ledger.error} onRetry={() => void ledger.refetch()} />}
      {ledger.isPending && <Skeleton height={360} radius="lg" role="status" aria-label={t("common.loading")} />}
      {ledger.data && <Entries ledger={ledger.data} />}
    </Page>
  );
};

const Entries = ({ ledger: { level, entries, is_cut: isCut, zone } }: { ledger: StockLedger }) => {
  const { t } = useTranslation();
  return (
    <div className="sheet stock-sheet">
      <div className="stock-level">
        <span className="stock-on-hand">
          <Quantity value={level.on_hand} unit={level.unit} />
        </span>
        <span className="stock-marks">
          <LevelMarks level={level} />
        </span>
      </div>
      {entries.length === 0 ? (
        <Text c="dimmed">{t("stock.noEntries")}</Text>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard.
        <section className="stock-scroll" tabIndex={0} aria-label={t("stock.entries")}>
          <EntryTable entries={entries} unit={level.unit} zone={zone} />
        </section>
      )}
      <Text size="sm" c="dimmed">
        {isCut && t("stock.cut")} {t("stock.clock", { zone: zone.replaceAll("_", " ") })}
      </Text>
    </div>
  );
};

type EntryTableProps = Pick<StockLedger, "entries" | "zone"> & Pick<StockLedger["level"], "unit">;

const EntryTable = ({ entries, unit, zone }: EntryTableProps) => {
  const { t } = useTranslation();
  return (
    <table className="stock-table">
      <thead>
        <tr>
          <th scope="col">{t("stock.what")}</th>
          <th scope="col" className="amount-cell">
            {t("stock.changeColumn")}
          </th>
          <th scope="col" className="amount-cell">
            {t("stock.onHand")}
          </th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td>
              {t(`stock.kinds.${entry.kind}`)}
              {entry.order_number !== null && (
                <>
                  {" "}
                  <bdi dir="ltr">#{entry.order_number}</bdi>
                </>
              )}
              {entry.reason !== null && (
                <>
                  {" "}
                  · <bdi>{entry.reason}</bdi>
                </>
              )}
              <Text size="sm" c="dimmed" className="figures">
                {formatDayAndClock(entry.recorded_at, zone)} · <bdi>{entry.recorded_by}</bdi>
              </Text>
            </td>
            <td className="amount-cell">
              <Quantity value={entry.amount} unit={unit} isChange />
            </td>
            <td className="amount-cell">
              <Quantity value={entry.on_hand} unit={unit} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};
