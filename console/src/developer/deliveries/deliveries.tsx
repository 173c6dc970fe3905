import "../styles.ts";
import type { DeliveryRow } from "@comanda/contract/console-webhooks.ts";
import { Button, Group, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../ui/empty.tsx";
import { RollIcon, SendIcon } from "../../ui/icons.tsx";
import { LogSkeleton } from "../../ui/log-skeleton.tsx";
import { Older } from "../../ui/older.tsx";
import { Page } from "../../ui/page.tsx";
import { Fault } from "../../ui/states.tsx";
import { useIsOwner } from "../role.ts";
import type { DeliverySearch } from "../search.ts";
import { useVenue } from "../venue.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { isReplayable, useDeliveries, useReplay } from "./delivery-queries.ts";
import { DeliveryLine } from "./delivery-row.tsx";
import { ReplayFailed } from "./replay-failed.tsx";
import { Waiting } from "./waiting.tsx";

const FROM = "/inside/v/$venue/deliveries";

export const Deliveries = () => {
  const { t } = useTranslation();
  const { open, ...filter } = useSearch({ from: FROM });
  const navigate = useNavigate();
  const isOwner = useIsOwner();
  const deliveries = useDeliveries(filter);
  const [isReplaying, replaying] = useDisclosure(false);
  const venue = useVenue();
  const show = (search: DeliverySearch, isBack = false) =>
    void navigate({ to: "/v/$venue/deliveries", params: { venue }, search, replace: isBack, resetScroll: false });
  const rows = deliveries.data?.pages.flatMap(({ data }) => data);
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title={t("deliveries.title")}
      name={t("deliveries.title")}
      lead={t("deliveries.lead")}
      action={
        isOwner && (
          <Button variant="default" leftSection={<RollIcon size={16} />} onClick={replaying.open}>
            {t("deliveries.replayFailed")}
          </Button>
        )
      }
    >
      <Stack gap="md">
        <DeliveryFilters filter={filter} onChange={(changed) => show(changed, true)} />
        <Waiting webhook={filter.webhook} />
        {deliveries.isPending && <LogSkeleton />}
        {deliveries.error && !rows && <Fault error={deliveries.error} onRetry={() => void deliveries.refetch()} />}
        {rows?.length === 0 && <NoDeliveries isFiltered={isFiltered} onClear={() => show({})} />}
        {rows && rows.length > 0 && (
          <>
            <DeliveryList rows={rows} isSelectable={isOwner} onOpen={(id) => show({ ...filter, open: id })} />
            <Older
              hasMore={deliveries.hasNextPage}
              isLoading={deliveries.isFetchingNextPage}
              hasFailed={deliveries.isFetchNextPageError}
              onMore={() => void deliveries.fetchNextPage()}
            />
          </>
        )}
      </Stack>
      <DeliveryDrawer id={open ?? null} onClose={() => show(filter, true)} />
      <ReplayFailed isOpen={isReplaying} webhook={filter.webhook ?? null} onClose={replaying.close} />
    </Page>
  );
};

type ListProps = { rows: DeliveryRow[]; isSelectable: boolean; onOpen: (id: number) => void };

const DeliveryList = ({ rows, isSelectable, onOpen }: ListProps) => {
  const [selected, setSelected] = useState<number[]>([]);
  // What has left the list, or is on its way again, is no longer meant.
  const meant = selected.filter((id) => rows.some((row) => row.id === id && isReplayable(row)));
  const toggle = (id: number) => setSelected(meant.includes(id) ? meant.filter((one) => one !== id) : [...meant, id]);
  return (
    <div className="sheet log">
      <ListHead selected={meant} onClear={() => setSelected([])} isSelectable={isSelectable} />
      <ul>
        {rows.map((row) => (
          <DeliveryLine
            key={row.id}
            delivery={row}
            isSelected={meant.includes(row.id)}
            onSelect={isSelectable ? () => toggle(row.id) : null}
            onOpen={() => onOpen(row.id)}
          />
        ))}
      </ul>
    </div>
  );
};

const IDS_MAX = 100;

const ListHead = ({ selected, onClear, isSelectable }: { selected: number[]; onClear: () => void; isSelectable: boolean }) => {
  const { t } = useTranslation();
  const replay = useReplay(onClear);
  return (
    <Group justify="space-between" className="log-head" mih={46}>
      <Tooltip label={t("deliveries.liveHint")}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what it means must be reachable by keyboard too. */}
        <span className="live" tabIndex={0}>
          {t("deliveries.live")}
        </span>
      </Tooltip>
      {isSelectable && selected.length > 0 && (
        <Group gap="xs">
          <Text size="sm" role="status">
            {t("deliveries.selected", { count: selected.length })}
          </Text>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
            {t("deliveries.unselect")}
          </Button>
          <Button size="compact-sm" loading={replay.isPending} onClick={() => replay.mutate({ ids: selected.slice(0, IDS_MAX) })}>
            {t("deliveries.replaySelected")}
          </Button>
        </Group>
      )}
    </Group>
  );
};

const NoDeliveries = ({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <EmptyState icon={<SendIcon size={28} />} title={t(isFiltered ? "deliveries.noneTitle" : "deliveries.emptyTitle")}>
      <Text c="dimmed" maw={480}>
        {t(isFiltered ? "deliveries.noneLead" : "deliveries.emptyLead")}
      </Text>
      {isFiltered ? (
        <Button variant="default" onClick={onClear}>
          {t("deliveries.clear")}
        </Button>
      ) : (
        <Button variant="default" renderRoot={(props) => <Link to="/v/$venue/webhooks" params={{ venue }} {...props} />}>
          {t("deliveries.emptyAction")}
        </Button>
      )}
    </EmptyState>
  );
};
