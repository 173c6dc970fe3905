import type { WebhookRow } from "@comanda/contract/console-webhooks.ts";
import type { EventType } from "@comanda/contract/events.ts";
import { Button, Drawer, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused } from "../../api.ts";
import { fieldFaults } from "../../ui/refusal.ts";
import { Fault } from "../../ui/states.tsx";
import { useToast } from "../../ui/toast.ts";
import { useVenue } from "../venue.ts";
import { AddressField } from "./address-field.tsx";
import { EventChoice } from "./event-choice.tsx";
import type { NewSecret } from "./secret-shown.tsx";
import { useWebhooksChanged } from "./webhook-queries.ts";

type Props = { isOpen: boolean; webhook: WebhookRow | null; onClose: () => void; onAdded: (made: NewSecret) => void };

export const EditWebhook = ({ isOpen, webhook, onClose, onAdded }: Props) => {
  const { t } = useTranslation();
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={t(webhook ? "endpoint.editTitle" : "endpoint.addTitle")}
      position="right"
      size={580}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {isOpen && <WebhookForm webhook={webhook} onClose={onClose} onAdded={onAdded} />}
    </Drawer>
  );
};

type Written = { url: string; description: string; events: EventType[] };

const useSave = ({ webhook, onClose, onAdded }: Omit<Props, "isOpen">) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const webhooksChanged = useWebhooksChanged(venue);
  return useMutation({
    mutationFn: async (written: Written) => {
      const body = { url: written.url.trim(), events: written.events, description: written.description.trim() || null };
      if (webhook === null) return (await call("addWebhook", { params: { venue }, body })).data;
      await call("changeWebhook", { params: { venue, id: webhook.id }, body });
      return null;
    },
    onSuccess: async (added) => {
      if (added) onAdded({ id: added.id, secret: added.secret, previousUntil: null });
      else {
        onClose();
        toast.done(t("endpoint.saved"));
      }
      await webhooksChanged();
    },
  });
};

const WebhookForm = ({ webhook, onClose, onAdded }: Omit<Props, "isOpen">) => {
  const { t } = useTranslation();
  const [url, setUrl] = useState(webhook?.url ?? "https://");
  const [description, setDescription] = useState(webhook?.description ?? "");
  const [events, setEvents] = useState<EventType[]>(webhook?.events ?? []);
  const [hasTried, setTried] = useState(false);
  const save = useSave({ webhook, onClose, onAdded });
  const faults = fieldFaults(save.error);
  const isAddressless = /^(https:\/\/)?$/.test(url.trim());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isAddressless && events.length > 0) save.mutate({ url, description, events });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="lg">
        <AddressField
          url={url}
          onChange={setUrl}
          fault={hasTried && isAddressless ? t("endpoint.urlMissing") : faults.url}
          isKnown={webhook?.url === url}
        />
        <TextInput
          label={t("endpoint.description")}
          description={t("endpoint.descriptionHint")}
          maxLength={200}
          {...(description === "" ? {} : { dir: "auto" })}
          autoComplete="off"
          value={description}
          error={faults.description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
        <EventChoice
          chosen={events}
          onChange={setEvents}
          fault={hasTried && events.length === 0 ? t("endpoint.eventsMissing") : faults.events}
        />
        {save.error && !(isRefused(save.error, "validation_failed") && Object.keys(faults).length > 0) && <Fault error={save.error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(webhook ? "endpoint.submitEdit" : "endpoint.submitAdd")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
