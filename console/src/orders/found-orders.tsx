/** The orders that match the search, in place of the columns. */
import { Button, Skeleton, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { type CardMarks, Cards } from "./board-columns-view.tsx";
import { foundOrdersQuery } from "./board-query.ts";
import { type StatusById, withChosenStatuses } from "./order-moves.ts";

type FoundOrdersProps = { search: string; marks: CardMarks; shown: StatusById; onClear: () => void };

export const FoundOrders = ({ search, marks, shown, onClear }: FoundOrdersProps) => {
  const { t } = useTranslation();
  const found = useQuery({ ...foundOrdersQuery(useVenue(), search), placeholderData: keepPreviousData });
  if (found.error) return <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Skeleton height={160} role="status" aria-label={t("common.loading")} />;
  return (
    <section className="board-found" aria-labelledby="found">
      <div className="found-head">
        <h2 id="found" className="column-title" role="status">
          {t("board.found", { count: found.data.length })}
        </h2>
        <Button variant="default" onClick={onClear}>
          {t("board.clear")}
        </Button>
      </div>
      {found.data.length === 0 ? (
        <Text c="dimmed">{t("board.noneFound", { text: search })}</Text>
      ) : (
        <Cards orders={withChosenStatuses(found.data, shown)} marks={marks} hasStatus />
      )}
    </section>
  );
};
