import "../developer-texts.ts";
import "../log-texts.ts";
import "../styles.ts";
import type { RequestRow } from "@comanda/contract/console/logs.ts";
import { Button, SegmentedControl, Select, Stack, Switch, Text } from "@mantine/core";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "#kit/api.ts";
import { ListIcon } from "#kit/icons.tsx";
import { SearchField } from "#kit/search-field.tsx";
import { pollUnlessStreaming } from "#shell/change-stream.ts";
import { EmptyLog, LogPages } from "#shell/log-pages.tsx";
import { Page } from "#shell/page.tsx";
import { useVenue } from "#shell/venue.ts";
import { type RequestSearch, STATUS_CLASSES } from "../search-params.ts";
import { tokensQuery } from "../token-queries.ts";
import { RequestDrawer } from "./request-drawer.tsx";
import { findRequestId } from "./request-id.ts";
import { RequestListItem } from "./request-row.tsx";

const FROM = "/inside/v/$venue/developer/requests";

type RequestListFilter = Omit<RequestSearch, "open">;

/** Paused, the list stands still; a list that is not there yet is read all the same. */
const useRequests = (filter: RequestListFilter, isPaused: boolean) => {
  const venue = useVenue();
  const queryKey = ["requests", venue, filter];
  const isRead = useQueryClient().getQueryData(queryKey) !== undefined;
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) =>
      call("listRequests", { params: { venue }, query: { ...filter, rows: 50, ...(pageParam > 0 ? { before: pageParam } : {}) } }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next ?? undefined,
    enabled: !(isPaused && isRead),
    // A reader on older pages is not interrupted.
    refetchInterval: ({ state }) => state.data?.pages.length === 1 && pollUnlessStreaming(10_000),
  });
};

export const Requests = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { open, ...filter } = useSearch({ from: FROM });
  const navigate = useNavigate();
  const show = (search: RequestSearch, isBack = true) =>
    void navigate({ to: "/v/$venue/requests", params: { venue }, search, replace: isBack, resetScroll: false });
  const [isPaused, setPaused] = useState(false);
  const requests = useRequests(filter, isPaused);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={t("requests.title")}
      name={t("requests.title")}
      lead={t("requests.lead")}
      action={<LiveSwitch isPaused={isPaused} onPause={setPaused} />}
    >
      <Stack gap="md">
        <RequestFilters filter={filter} onChange={show} onOpen={(id) => show({ ...filter, open: id }, false)} />
        <LogPages query={requests} empty={<NoRequests isFiltered={isFiltered} onClear={() => show({})} />}>
          {(rows) => <RequestList rows={rows} onOpen={(id) => show({ ...filter, open: id }, false)} />}
        </LogPages>
      </Stack>
      <RequestDrawer id={open ?? null} onClose={() => show(filter)} />
    </Page>
  );
};

/** New requests appear by themselves, as the change stream announces them. */
const LiveSwitch = ({ isPaused, onPause }: { isPaused: boolean; onPause: (isPaused: boolean) => void }) => {
  const { t } = useTranslation();
  return (
    <Switch
      checked={!isPaused}
      onChange={({ currentTarget }) => onPause(!currentTarget.checked)}
      label={t("requests.live")}
      description={t(isPaused ? "requests.isPaused" : "requests.isLive")}
    />
  );
};

const RequestList = ({ rows, onOpen }: { rows: RequestRow[]; onOpen: (requestId: string) => void }) => (
  <ul className="sheet log">
    {rows.map((row) => (
      <RequestListItem key={row.id} row={row} onOpen={() => onOpen(row.request_id)} />
    ))}
  </ul>
);

type RequestFiltersProps = { filter: RequestListFilter; onChange: (filter: RequestListFilter) => void; onOpen: (id: string) => void };

const RequestFilters = ({ filter, onChange, onOpen }: RequestFiltersProps) => {
  const { t } = useTranslation();
  const { data: tokens = [] } = useQuery(tokensQuery(useVenue()));
  const { token, status, request = "" } = filter;
  const names = tokens.map(({ id, name, hint }) => ({ value: String(id), label: `${name} · ${hint}` }));
  const isMissing = token !== undefined && !tokens.some(({ id }) => id === token);
  const change = (next: { token?: number | null; status?: string; request?: string }) => {
    const all = { token: token ?? null, status: status ?? "any", request, ...next };
    const known = STATUS_CLASSES.find((one) => one === all.status);
    onChange({
      ...(all.token === null ? {} : { token: all.token }),
      ...(known === undefined ? {} : { status: known }),
      ...(all.request === "" ? {} : { request: all.request }),
    });
  };
  return (
    <search className="filters" aria-label={t("deliveries.filters")}>
      <Select
        label={t("requests.token")}
        placeholder={t("requests.anyToken")}
        clearable
        searchable
        clearButtonProps={{ "aria-label": t("requests.anyToken") }}
        data={isMissing ? [...names, { value: String(token), label: t("requests.endedToken") }] : names}
        value={token === undefined ? null : String(token)}
        onChange={(value) => change({ token: value === null ? null : Number(value) })}
      />
      <div className="filter-wide">
        <Text size="sm" fw={500} id="status-label" mb={4}>
          {t("requests.status")}
        </Text>
        <SegmentedControl
          aria-labelledby="status-label"
          data={(["any", ...STATUS_CLASSES] as const).map((one) => ({ value: one, label: t(`requests.statuses.${one}`) }))}
          value={status ?? "any"}
          onChange={(value) => change({ status: value })}
        />
      </div>
      <div className="filter-wide">
        <FindRequest value={request} onClear={() => change({ request: "" })} onOpen={onOpen} />
      </div>
    </search>
  );
};

/** An id that is pasted, alone or with its header, opens its request. */
const FindRequest = ({ value, onClear, onOpen }: { value: string; onClear: () => void; onOpen: (id: string) => void }) => {
  const { t } = useTranslation();
  const [isPartial, setPartial] = useState(false);
  const find = (written: string): void => {
    const id = findRequestId(written);
    setPartial(id === null && written !== "");
    if (id !== null) onOpen(id);
    else if (written === "" && value !== "") onClear();
  };
  return (
    <SearchField
      label={t("requests.id")}
      placeholder={t("requests.idHint")}
      maxLength={120}
      value={value}
      error={isPartial && t("requests.idPartial")}
      onChange={find}
    />
  );
};

const NoRequests = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <EmptyLog log="requests" icon={<ListIcon size={28} />} isFiltered={isFiltered} onClear={onClear}>
      <Button variant="default" renderRoot={(props) => <Link to="/v/$venue/tokens" params={{ venue }} {...props} />}>
        {t("requests.emptyAction")}
      </Button>
    </EmptyLog>
  );
};
