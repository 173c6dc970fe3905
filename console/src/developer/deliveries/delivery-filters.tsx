import { events as EVENTS } from "virtual:contract";
import type { EventType } from "@comanda/contract/events.ts";
import { Button, Select, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { DELIVERY_STATES, isEventId } from "../search.ts";
import { useVenue } from "../venue.ts";
import { webhooksQuery } from "../webhooks/webhook-queries.ts";
import type { DeliveryFilter } from "./delivery-queries.ts";

type Props = { filter: DeliveryFilter; onChange: (filter: DeliveryFilter) => void };

/** Null takes the choice away. */
const withChoice = <K extends keyof DeliveryFilter>(filter: DeliveryFilter, name: K, value: DeliveryFilter[K] | null): DeliveryFilter => {
  const { [name]: _, ...others } = filter;
  return (value === null || value === undefined ? others : { ...others, [name]: value }) as DeliveryFilter;
};

export const DeliveryFilters = ({ filter, onChange }: Props) => {
  const { t } = useTranslation();
  const addresses = useAddresses(filter.webhook);
  const set = <K extends keyof DeliveryFilter>(name: K, value: DeliveryFilter[K] | null) => onChange(withChoice(filter, name, value));
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
      <EventIdField value={filter.event ?? ""} onChange={(event) => set("event", event === "" ? null : event)} />
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

const EventIdField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => {
  const { t } = useTranslation();
  const [written, setWritten] = useState(value);
  useEffect(() => setWritten(value), [value]);
  const change = useDebouncedCallback((text: string) => onChange(text.trim()), 400);
  return (
    <TextInput
      label={t("deliveries.event")}
      placeholder={t("deliveries.eventHint")}
      {...(written === "" ? {} : { dir: "ltr" })}
      spellCheck={false}
      autoComplete="off"
      maxLength={60}
      value={written}
      error={value !== "" && !isEventId(value) && t("deliveries.eventWrong")}
      onChange={(event) => {
        setWritten(event.currentTarget.value);
        change(event.currentTarget.value);
      }}
    />
  );
};
