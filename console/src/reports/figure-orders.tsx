/** The orders behind one figure, the latest first. */

import type { ReportOrder, ReportOrders } from "@comanda/contract/console/reports.ts";
import { Skeleton, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { channelName } from "#kit/channel-name.ts";
import { Dialog } from "#kit/dialog.tsx";
import { LoadMore } from "#kit/load-more.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { ordersQuery, type ReportFigure, type ReportScope } from "./report-queries.ts";

type FigureOrdersProps = { scope: ReportScope; figure: ReportFigure | null; onClose: () => void };

export const FigureOrders = ({ scope, figure, onClose }: FigureOrdersProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={figure !== null} onClose={onClose} size="lg" title={figure ? t("reports.ordersOf", { name: figure.title }) : ""}>
      {figure && <OrderPages scope={scope} figure={figure} />}
    </Dialog>
  );
};

const OrderPages = ({ scope, figure }: { scope: ReportScope; figure: ReportFigure }) => {
  const { t } = useTranslation();
  const { data, error, isPending, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = useInfiniteQuery(
    ordersQuery(scope, figure),
  );
  const pages = data?.pages ?? [];
  const [first] = pages;
  const rows = pages.flatMap((page) => page.rows);
  const isSearching = rows.length === 0 && hasNextPage;
  // A rare dish is searched for step by step: an empty page may continue.
  useEffect(() => {
    if (isSearching && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [isSearching, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (error && !first) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (isPending || !first || isSearching) return <Skeleton height={200} radius="md" role="status" aria-label={t("common.loading")} />;
  if (rows.length === 0) return <Text c="dimmed">{t("reports.noOrders")}</Text>;
  return (
    <>
      <ul className="report-orders figures">
        {rows.map((order, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: an order with two payments is there twice.
          <OrderLine key={`${order.id} ${place}`} order={order} list={first} />
        ))}
      </ul>
      <LoadMore hasMore={hasNextPage} isLoading={isFetchingNextPage} hasFailed={isFetchNextPageError} onMore={() => void fetchNextPage()} />
    </>
  );
};

const OrderLine = ({ order, list: { currency, zone } }: { order: ReportOrder; list: ReportOrders }) => {
  const { t } = useTranslation();
  const total = formatMoney(order.total_minor, currency);
  return (
    <li>
      <span>
        <b>{order.number === null ? t("reports.orderUnnumbered") : t("reports.order", { number: order.number })}</b>{" "}
        {formatDayAndClock(order.placed_at, zone)}
      </span>
      <span>
        {t(`reports.types.${order.type}`)} · <bdi>{channelName(t, order.channel)}</bdi>
      </span>
      <span className="report-part">
        {order.portions !== null && <>{t("reports.portionsOf", { count: order.portions })} · </>}
        {order.part_minor === order.total_minor ? total : t("reports.partOf", { part: formatMoney(order.part_minor, currency), total })}
      </span>
    </li>
  );
};
