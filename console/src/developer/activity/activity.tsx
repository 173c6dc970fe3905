import "../developer-texts.ts";
import "../log-texts.ts";
import "../styles.ts";
import type { ActivityEntry } from "@comanda/contract/console/logs.ts";
import { Stack } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { ClockIcon } from "#kit/icons.tsx";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import { EmptyLog, LogPages } from "#shell/log-pages.tsx";
import { Page } from "#shell/page.tsx";
import { useVenue } from "#shell/venue.ts";
import type { ActivitySearch } from "../search-params.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityListItem } from "./activity-row.tsx";

const FROM = "/inside/v/$venue/developer/activity";

/** Days in the reader's time zone; the last day is included. */
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
    // A reader on older pages is not interrupted.
    refetchInterval: ({ state }) => state.data?.pages.length === 1 && pollUnlessStreaming(10_000),
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
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title={t("activity.title")} name={t("activity.title")} lead={t("activity.lead")}>
      <Stack gap="md">
        <ActivityFilters filter={filter} onChange={show} />
        <LogPages
          query={activity}
          empty={<EmptyLog log="activity" icon={<ClockIcon size={28} />} isFiltered={isFiltered} onClear={() => show({})} />}
        >
          {(rows) => (
            <ActivityList
              rows={rows}
              currency={activity.data?.pages[0]?.currency ?? ""}
              onSubject={(subject) => show({ ...filter, subject })}
            />
          )}
        </LogPages>
      </Stack>
    </Page>
  );
};

type ActivityListProps = { rows: ActivityEntry[]; currency: string; onSubject: (subject: string) => void };

const ActivityList = ({ rows, currency, onSubject }: ActivityListProps) => (
  <ul className="sheet log">
    {rows.map((row) => (
      <ActivityListItem key={row.id} row={row} currency={currency} onSubject={onSubject} />
    ))}
  </ul>
);
