import "../developer-texts.ts";
import "../styles.ts";
import type { DeliverySummary } from "@comanda/contract/console/webhooks.ts";
import { Button, Group, Stack, Text, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { RollIcon, SendIcon } from "#kit/icons.tsx";
import { EmptyLog, LogPages } from "#shell/log-pages.tsx";
import { Page } from "#shell/page.tsx";
import { useIsOwner, useVenue } from "#shell/venue.ts";
import type { DeliverySearch } from "../search-params.ts";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { DeliveryFilters } from "./delivery-filters.tsx";
import { isReplayable, useDeliveries, useReplay } from "./delivery-queries.ts";
import { DeliveryListItem } from "./delivery-row.tsx";
import { ReplayFailed } from "./replay-failed.tsx";
import { WaitingDeliveries } from "./waiting-deliveries.tsx";

const FROM = "/inside/v/$venue/developer/deliveries";

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
        <WaitingDeliveries webhook={filter.webhook} />
        <LogPages query={deliveries} empty={<NoDeliveries isFiltered={isFiltered} onClear={() => show({})} />}>
          {(rows) => <DeliveryList rows={rows} isSelectable={isOwner} onOpen={(id) => show({ ...filter, open: id })} />}
        </LogPages>
      </Stack>
      <DeliveryDrawer id={open ?? null} onClose={() => show(filter, true)} />
      <ReplayFailed isOpen={isReplaying} webhook={filter.webhook ?? null} onClose={replaying.close} />
    </Page>
  );
};

type DeliveryListProps = { rows: DeliverySummary[]; isSelectable: boolean; onOpen: (id: number) => void };

const DeliveryList = ({ rows, isSelectable, onOpen }: DeliveryListProps) => {
  const [selected, setSelected] = useState<number[]>([]);
  // Deselects rows that left the list or are being sent again.
  const meant = selected.filter((id) => rows.some((row) => row.id === id && isReplayable(row)));
  const toggle = (id: number) => setSelected(meant.includes(id) ? meant.filter((one) => one !== id) : [...meant, id]);
  return (
    <div className="sheet log">
      <ListHead selected={meant} onClear={() => setSelected([])} isSelectable={isSelectable} />
      <ul>
        {rows.map((row) => (
          <DeliveryListItem
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
          <Button size="compact-sm" loading={replay.isPending} onClick={() => replay.send({ ids: selected.slice(0, IDS_MAX) })}>
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
    <EmptyLog log="deliveries" icon={<SendIcon size={28} />} isFiltered={isFiltered} onClear={onClear}>
      <Button variant="default" renderRoot={(props) => <Link to="/v/$venue/webhooks" params={{ venue }} {...props} />}>
        {t("deliveries.emptyAction")}
      </Button>
    </EmptyLog>
  );
};
