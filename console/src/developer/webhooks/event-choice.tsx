/** The events of an endpoint, by group, each with a description and a sample. */

import { events as EVENTS, unsentEvents } from "virtual:contract";
import type { EventType } from "@comanda/contract/events/envelope.ts";
import { Button, Checkbox, Group, Input, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOccursWhen } from "#kit/server-texts.ts";
import { EventSample } from "./event-sample.tsx";

export const SELECTABLE_EVENTS = (Object.keys(EVENTS) as EventType[]).filter((type) => type !== "ping");
type EventGroupName = (typeof EVENTS)[EventType]["group"];

const ERROR_ID = "event-choice-fault";

type EventChoiceProps = { chosen: EventType[]; onChange: (chosen: EventType[]) => void; fault: string | undefined };

export const EventChoice = ({ chosen, onChange, fault }: EventChoiceProps) => {
  const { t } = useTranslation();
  const occursWhen = useOccursWhen();
  const [search, setSearch] = useState("");
  const words = search.trim().toLowerCase();
  const found = SELECTABLE_EVENTS.filter(
    (type) => words === "" || `${type} ${t(`eventGroups.${EVENTS[type].group}`)} ${occursWhen(type)}`.toLowerCase().includes(words),
  );
  const groups = Map.groupBy(found, (type) => EVENTS[type].group);
  const set = (types: EventType[], isOn: boolean) =>
    onChange(
      isOn
        ? SELECTABLE_EVENTS.filter((type) => chosen.includes(type) || types.includes(type))
        : chosen.filter((type) => !types.includes(type)),
    );
  return (
    <Input.Wrapper
      label={t("endpoint.events")}
      error={fault}
      errorProps={{ id: ERROR_ID }}
      inputWrapperOrder={["label", "error", "input"]}
      labelElement="div"
      className="event-choice"
    >
      <Group justify="space-between" gap="xs" my={6}>
        <Text size="sm" c="dimmed" className="figures" role="status">
          {t("endpoint.chosen", { number: chosen.length, all: SELECTABLE_EVENTS.length })}
        </Text>
        <Group gap={6}>
          <Button size="compact-sm" variant="default" onClick={() => set(found, true)}>
            {t("endpoint.all")}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => set(found, false)}>
            {t("endpoint.none")}
          </Button>
        </Group>
      </Group>
      <TextInput
        type="search"
        size="sm"
        aria-label={t("endpoint.search")}
        error={fault !== undefined}
        {...(fault === undefined ? {} : { "aria-describedby": ERROR_ID })}
        placeholder={t("endpoint.search")}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        mb="xs"
      />
      {found.length === 0 && <Text size="sm">{t("endpoint.noMatch", { search })}</Text>}
      <Stack gap="sm">
        {[...groups].map(([group, types]) => (
          <EventGroupChoice key={group} group={group} types={types} chosen={chosen} onSet={set} />
        ))}
      </Stack>
    </Input.Wrapper>
  );
};

type EventGroupChoiceProps = {
  group: EventGroupName;
  types: EventType[];
  chosen: EventType[];
  onSet: (types: EventType[], isOn: boolean) => void;
};

const EventGroupChoice = ({ group, types, chosen, onSet }: EventGroupChoiceProps) => {
  const { t } = useTranslation();
  const occursWhen = useOccursWhen();
  const count = types.filter((type) => chosen.includes(type)).length;
  return (
    <fieldset className="event-group">
      <legend>
        <Checkbox
          size="sm"
          label={<b>{t(`eventGroups.${group}`)}</b>}
          checked={count === types.length}
          indeterminate={count > 0 && count < types.length}
          onChange={() => onSet(types, count < types.length)}
        />
      </legend>
      {types.map((type) => (
        <div key={type} className="event-line">
          <Checkbox
            size="sm"
            label={
              <>
                <span className="code">{type}</span>
                {unsentEvents.includes(type) && <span className="quiet"> · {t("endpoint.notYetSent")}</span>}
              </>
            }
            description={<span dir="auto">{occursWhen(type).replaceAll("`", "")}</span>}
            checked={chosen.includes(type)}
            onChange={(event) => onSet([type], event.currentTarget.checked)}
          />
          <EventSample type={type} />
        </div>
      ))}
    </fieldset>
  );
};
