import "../styles.ts";
import type { ActivityRow } from "@comanda/contract/console-logs.ts";
import { Button, Stack, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { unlessLive } from "../../live-line.ts";
import { EmptyState } from "../../ui/empty.tsx";
import { ClockIcon } from "../../ui/icons.tsx";
import { LogSkeleton } from "../../ui/log-skeleton.tsx";
import { Older } from "../../ui/older.tsx";
import { Page } from "../../ui/page.tsx";
import { Fault } from "../../ui/states.tsx";
import type { ActivitySearch } from "../search.ts";
import { useVenue } from "../venue.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityLine } from "./activity-row.tsx";

const FROM = "/inside/v/$venue/activity";

/** Days as the reader's clock has them; the last one is included. */
const asked = ({ from, until, ...filter }: ActivitySearch) => ({
  ...filter,
  ...(from === undefined ? {} : { from: startOfDay(from, 0) }),
  ...(until === undefined ? {} : { until: startOfDay(until, 1) }),
});

const startOfDay = (day: string, daysLater: number): string => {
  const at = new Date(`${day}T00:00:00`);
  at.setDate(at.getDate() + daysLater);
  return at.toISOString();
};

const useActivity = (filter: ActivitySearch) => {
  const venue = useVenue();
  return useInfiniteQuery({
    queryKey: ["activity", venue, filter],
    queryFn: ({ pageParam }) =>
      call("listActivity", { params: { venue }, query: { ...asked(filter), ...(pageParam > 0 ? { before: pageParam } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Whoever reads older pages is looking back, not waiting for news.
    refetchInterval: ({ state }) => state.data?.pages.length === 1 && unlessLive(10_000),
  });
};

export const Activity = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const filter = useSearch({ from: FROM });
  const navigate = useNavigate();
  const show = (search: ActivitySearch) =>
    void navigate({ to: "/v/$venue/activity", params: { venue }, search, replace: true, resetScroll: false });
  const activity = useActivity(filter);
  const rows = activity.data?.pages.flatMap(({ data }) => data);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title={t("activity.title")} name={t("activity.title")} lead={t("activity.lead")}>
      <Stack gap="md">
        <ActivityFilters filter={filter} onChange={show} />
        {activity.isPending && <LogSkeleton />}
        {activity.error && !rows && <Fault error={activity.error} onRetry={() => void activity.refetch()} />}
        {rows?.length === 0 && <NoActivity isFiltered={isFiltered} onClear={() => show({})} />}
        {rows && rows.length > 0 && (
          <>
            <ActivityList
              rows={rows}
              currency={activity.data?.pages[0]?.currency ?? ""}
              onSubject={(subject) => show({ ...filter, subject })}
            />
            <Older
              hasMore={activity.hasNextPage}
              isLoading={activity.isFetchingNextPage}
              hasFailed={activity.isFetchNextPageError}
              onMore={() => void activity.fetchNextPage()}
            />
          </>
        )}
      </Stack>
    </Page>
  );
};

type ListProps = { rows: ActivityRow[]; currency: string; onSubject: (subject: string) => void };

const ActivityList = ({ rows, currency, onSubject }: ListProps) => (
  <ul className="sheet log">
    {rows.map((row) => (
      <ActivityLine key={row.id} row={row} currency={currency} onSubject={onSubject} />
    ))}
  </ul>
);

const NoActivity = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => {
  const { t } = useTranslation();
  return (
    <EmptyState icon={<ClockIcon size={28} />} title={t(isFiltered ? "activity.noneTitle" : "activity.emptyTitle")}>
      <Text c="dimmed" maw={480}>
        {t(isFiltered ? "activity.noneLead" : "activity.emptyLead")}
      </Text>
      {isFiltered && (
        <Button variant="default" onClick={onClear}>
          {t("activity.clear")}
        </Button>
      )}
    </EmptyState>
  );
};
