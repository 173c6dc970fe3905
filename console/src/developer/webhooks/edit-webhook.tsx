import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "#kit/api.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { Form } from "#kit/form.tsx";
import { useToast } from "#kit/toast.ts";
import { readChanged, useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { AddressField } from "./address-field.tsx";
import { EventChoice } from "./event-choice.tsx";
import type { NewSigningSecret } from "./signing-secret-modal.tsx";
import { type SavedWebhook, savedIn, useDraft, useHasDraft, type WebhookFormValues } from "./webhook-draft.ts";
import { webhooksQuery } from "./webhook-queries.ts";

type EditWebhookProps = { isOpen: boolean; webhook: WebhookRow | null; onClose: () => void; onAdded: (made: NewSigningSecret) => void };

export const EditWebhook = ({ isOpen, webhook, onClose, onAdded }: EditWebhookProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const hasDraft = useHasDraft();
  const close = () => {
    if (hasDraft(webhook)) toast.note(t("endpoint.kept"));
    onClose();
  };
  return (
    <SideDialog isOpen={isOpen} onClose={close} title={t(webhook ? "endpoint.editTitle" : "endpoint.addTitle")} size={580}>
      {isOpen && <WebhookForm webhook={webhook} onClose={close} onAdded={onAdded} />}
    </SideDialog>
  );
};

type WebhookSaveProps = Omit<EditWebhookProps, "isOpen"> & {
  seen: WebhookFormValues;
  show: (saved: WebhookFormValues) => void;
  onSaved: () => void;
};

const useSave = ({ webhook, seen, show, onClose, onAdded, onSaved }: WebhookSaveProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const [refusals, setRefusals] = useState(0);
  const common = {
    readAgain: [webhooksQuery(venue).queryKey],
    // The form says why.
    onRefused: () => setRefusals((count) => count + 1),
  };
  const add = useWrite<"addWebhook">({
    ...common,
    onDone: ({ data: { id, secret } }) => {
      onSaved();
      onAdded({ id, secret, previousUntil: null });
    },
  });
  const change = useWrite<"changeWebhook">({
    ...common,
    onChanged: (changed) => {
      show(savedIn(changed.webhook as SavedWebhook));
      return undefined;
    },
    onDone: () => {
      onSaved();
      onClose();
      toast.done(t("endpoint.saved"));
    },
  });
  const save = (written: WebhookFormValues): void => {
    const body = bodyOf(written);
    if (webhook === null) add.write({ id: "addWebhook", params: { venue }, body });
    else change.write({ id: "changeWebhook", params: { venue, id: webhook.id }, body: { seen: bodyOf(seen), ...body } });
  };
  const { isPending, error, reset, wanted } = webhook === null ? add : change;
  return { save, isPending, error, reset, sent: wanted?.body, refusals };
};

const bodyOf = ({ url, events, description }: WebhookFormValues) => ({
  url: url.trim(),
  events,
  description: description.trim() || null,
});

/** An error of the server is shown only until the field is changed. */
const useFaults = ({ sent, error }: ReturnType<typeof useSave>, written: WebhookFormValues, hasTried: boolean) => {
  const { t } = useTranslation();
  const refused = fieldErrors(error);
  const isAddressless = /^(https:\/\/)?$/.test(written.url.trim());
  const still = (name: keyof WebhookFormValues) => (sent?.[name] === bodyOf(written)[name] ? refused[name] : undefined);
  return {
    isComplete: !isAddressless && written.events.length > 0,
    isOfFields: hasErrorCode(error, "validation_failed") && Object.keys(refused).length > 0,
    url: hasTried && isAddressless ? t("endpoint.urlMissing") : still("url"),
    description: still("description"),
    events: hasTried && written.events.length === 0 ? t("endpoint.eventsMissing") : still("events"),
  };
};

const WebhookForm = ({ webhook, onClose, onAdded }: Omit<EditWebhookProps, "isOpen">) => {
  const { t } = useTranslation();
  const { written, seen, write, isRestored, show, drop, discard } = useDraft(webhook);
  const [attempts, setAttempts] = useState(0);
  const save = useSave({ webhook, seen, show, onClose, onAdded, onSaved: drop });
  const faults = useFaults(save, written, attempts > 0);
  const submit = () => {
    setAttempts(attempts + 1);
    if (faults.isComplete) save.save(written);
  };
  return (
    <Form onSubmit={submit} noValidate>
      <Stack gap="lg">
        {isRestored && <Restored onDiscard={discard} />}
        <AddressField
          url={written.url}
          onChange={(url) => write({ url })}
          fault={faults.url}
          onGood={() => save.error && save.reset()}
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
        {save.error && !faults.isOfFields && readChanged(save.error) === null && <ErrorAlert error={save.error} />}
        <Group justify="flex-end" className="drawer-foot">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(webhook ? "endpoint.submitEdit" : "endpoint.submitAdd")}
          </Button>
        </Group>
      </Stack>
    </Form>
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
