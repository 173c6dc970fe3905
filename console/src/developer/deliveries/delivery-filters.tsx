import { events as EVENTS } from "virtual:contract";
import type { EventType } from "@comanda/contract/events/envelope.ts";
import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { SearchField } from "#kit/search-field.tsx";
import { useVenue } from "#shell/venue.ts";
import { DELIVERY_STATES, isEventId } from "../search-params.ts";
import { webhooksQuery } from "../webhooks/webhook-queries.ts";
import type { DeliveryListFilter } from "./delivery-queries.ts";

type DeliveryFiltersProps = { filter: DeliveryListFilter; onChange: (filter: DeliveryListFilter) => void };

/** Null removes the filter. */
const withChoice = <K extends keyof DeliveryListFilter>(
  filter: DeliveryListFilter,
  name: K,
  value: DeliveryListFilter[K] | null,
): DeliveryListFilter => {
  const { [name]: _, ...others } = filter;
  return (value === null || value === undefined ? others : { ...others, [name]: value }) as DeliveryListFilter;
};

export const DeliveryFilters = ({ filter, onChange }: DeliveryFiltersProps) => {
  const { t } = useTranslation();
  const addresses = useAddresses(filter.webhook);
  const { event = "" } = filter;
  const set = <K extends keyof DeliveryListFilter>(name: K, value: DeliveryListFilter[K] | null) =>
    onChange(withChoice(filter, name, value));
  return (
    <search className="filters" aria-label={t("deliveries.filters")}>
      <Select
        label={t("deliveries.webhook")}
        placeholder={t("deliveries.anyWebhook")}
        clearable
        clearButtonProps={{ "aria-label": t("deliveries.anyWebhook") }}
        data={addresses}
        value={filter.webhook ? String(filter.webhook) : null}
        onChange={(value) => set("webhook", value === null ? null : Number(value))}
      />
      <Select
        label={t("deliveries.state")}
        placeholder={t("deliveries.anyState")}
        clearable
        clearButtonProps={{ "aria-label": t("deliveries.anyState") }}
        data={DELIVERY_STATES.map((state) => ({ value: state, label: t(`deliveries.states.${state}`) }))}
        value={filter.state ?? null}
        onChange={(value) => set("state", DELIVERY_STATES.find((state) => state === value) ?? null)}
      />
      <Select
        label={t("deliveries.type")}
        placeholder={t("deliveries.anyType")}
        clearable
        searchable
        clearButtonProps={{ "aria-label": t("deliveries.anyType") }}
        data={Object.keys(EVENTS)}
        value={filter.type ?? null}
        onChange={(value) => set("type", value as EventType | null)}
      />
      <SearchField
        label={t("deliveries.event")}
        placeholder={t("deliveries.eventHint")}
        maxLength={60}
        value={event}
        error={event !== "" && !isEventId(event) && t("deliveries.eventWrong")}
        onChange={(written) => set("event", written === "" ? null : written)}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" color="gray" onClick={() => onChange({})} className="filters-clear">
          {t("deliveries.clear")}
        </Button>
      )}
    </search>
  );
};

const useAddresses = (wanted: number | undefined) => {
  const { t } = useTranslation();
  const { data = [] } = useQuery(webhooksQuery(useVenue()));
  const known = data.map(({ id, url }) => ({ value: String(id), label: url.replace(/^https:\/\//, "") }));
  const isMissing = wanted !== undefined && !data.some(({ id }) => id === wanted);
  return isMissing ? [...known, { value: String(wanted), label: t("deliveries.removedWebhook") }] : known;
};
