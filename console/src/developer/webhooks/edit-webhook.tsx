import type { WebhookRow } from "@comanda/contract/console-webhooks.ts";
import { Alert, Button, Drawer, Group, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { call, isRefused } from "../../api.ts";
import { useFocusFault } from "../../ui/focus-fault.ts";
import { fieldFaults } from "../../ui/refusal.ts";
import { Fault } from "../../ui/states.tsx";
import { useToast } from "../../ui/toast.ts";
import { useVenue } from "../venue.ts";
import { AddressField } from "./address-field.tsx";
import { EventChoice } from "./event-choice.tsx";
import type { NewSecret } from "./secret-shown.tsx";
import { useDraft, useHasDraft, type Written } from "./webhook-draft.ts";
import { useWebhooksChanged } from "./webhook-queries.ts";

type Props = { isOpen: boolean; webhook: WebhookRow | null; onClose: () => void; onAdded: (made: NewSecret) => void };

export const EditWebhook = ({ isOpen, webhook, onClose, onAdded }: Props) => {
  const { t } = useTranslation();
  const toast = useToast();
  const hasDraft = useHasDraft();
  const close = () => {
    if (hasDraft(webhook)) toast.note(t("endpoint.kept"));
    onClose();
  };
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      title={t(webhook ? "endpoint.editTitle" : "endpoint.addTitle")}
      position="right"
      size={580}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      {isOpen && <WebhookForm webhook={webhook} onClose={close} onAdded={onAdded} />}
    </Drawer>
  );
};

type SaveProps = Omit<Props, "isOpen"> & { onSaved: () => void };

const useSave = ({ webhook, onClose, onAdded, onSaved }: SaveProps) => {
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
      onSaved();
      if (added) onAdded({ id: added.id, secret: added.secret, previousUntil: null });
      else {
        onClose();
        toast.done(t("endpoint.saved"));
      }
      await webhooksChanged();
    },
  });
};

/** What the server refused is shown only beside what it refused: a corrected field has no fault. */
const useFaults = ({ variables, error }: ReturnType<typeof useSave>, written: Written, hasTried: boolean) => {
  const { t } = useTranslation();
  const refused = fieldFaults(error);
  const isAddressless = /^(https:\/\/)?$/.test(written.url.trim());
  const still = (name: keyof Written) => (variables?.[name] === written[name] ? refused[name] : undefined);
  return {
    isComplete: !isAddressless && written.events.length > 0,
    isOfFields: isRefused(error, "validation_failed") && Object.keys(refused).length > 0,
    url: hasTried && isAddressless ? t("endpoint.urlMissing") : still("url"),
    description: still("description"),
    events: hasTried && written.events.length === 0 ? t("endpoint.eventsMissing") : still("events"),
  };
};

const WebhookForm = ({ webhook, onClose, onAdded }: Omit<Props, "isOpen">) => {
  const { t } = useTranslation();
  const form = useRef<HTMLFormElement>(null);
  const { written, write, isRestored, drop, discard } = useDraft(webhook);
  const [attempts, setAttempts] = useState(0);
  const save = useSave({ webhook, onClose, onAdded, onSaved: drop });
  const faults = useFaults(save, written, attempts > 0);
  useFocusFault(form, attempts + save.failureCount);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setAttempts(attempts + 1);
    if (faults.isComplete) save.mutate(written);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="lg">
        {isRestored && <Restored onDiscard={discard} />}
        <AddressField
          url={written.url}
          onChange={(url) => write({ url })}
          fault={faults.url}
          onGood={() => save.isError && save.reset()}
          isKnown={webhook?.url === written.url}
        />
        <TextInput
          label={t("endpoint.description")}
          description={t("endpoint.descriptionHint")}
          maxLength={200}
          {...(written.description === "" ? {} : { dir: "auto" })}
          autoComplete="off"
          value={written.description}
          error={faults.description}
          onChange={(event) => write({ description: event.currentTarget.value })}
        />
        <EventChoice chosen={written.events} onChange={(events) => write({ events })} fault={faults.events} />
        {save.error && !faults.isOfFields && <Fault error={save.error} />}
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

const Restored = ({ onDiscard }: { onDiscard: () => void }) => {
  const { t } = useTranslation();
  return (
    <Alert color="gray" role="status">
      <Group justify="space-between" gap="sm">
        {t("endpoint.restored")}
        <Button size="compact-sm" variant="default" onClick={onDiscard}>
          {t("endpoint.discard")}
        </Button>
      </Group>
    </Alert>
  );
};
