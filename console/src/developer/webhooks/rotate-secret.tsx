import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { fieldErrors } from "../../ui/error-text.ts";
import { RollIcon } from "../../ui/icons.tsx";
import { ErrorAlert } from "../../ui/page-states.tsx";
import { useVenue } from "../venue.ts";
import type { NewSigningSecret } from "./signing-secret-modal.tsx";
import { useWebhooksChanged } from "./webhook-queries.ts";

type RotateSecretProps = { webhook: WebhookRow | null; onClose: () => void; onRotated: (made: NewSigningSecret) => void };

export const RotateSecret = ({ webhook, onClose, onRotated }: RotateSecretProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={webhook !== null} onClose={onClose} title={t("rotate.title")}>
      {webhook && <RotateForm webhook={webhook} onClose={onClose} onRotated={onRotated} />}
    </Dialog>
  );
};

const RotateForm = ({ webhook, onClose, onRotated }: RotateSecretProps & { webhook: WebhookRow }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const webhooksChanged = useWebhooksChanged(venue);
  const rotate = useMutation({
    mutationFn: async () => (await call("rotateSecret", { params: { venue, id: webhook.id } })).data,
    onSuccess: async ({ id, secret, previous_until }) => {
      onRotated({ id, secret, previousUntil: previous_until });
      await webhooksChanged();
    },
  });
  const tooMany = fieldErrors(rotate.error).secret;
  return (
    <Stack gap="md">
      <Text size="sm" className="break">
        <span className="code">{webhook.url}</span>
      </Text>
      <Text c="dimmed">{t("rotate.lead")}</Text>
      <ol className="rotation-timeline">
        <li>
          <b>{t("rotate.timeline.now")}</b>
          <span>{t("rotate.timeline.nowText")}</span>
        </li>
        <li>
          <b>{t("rotate.timeline.day")}</b>
          <span>{t("rotate.timeline.dayText")}</span>
        </li>
      </ol>
      {webhook.secrets > 1 && (
        <Alert color="orange" icon={<RollIcon />}>
          {t("rotate.running", { number: webhook.secrets })}
        </Alert>
      )}
      {tooMany && (
        <Alert color="red" role="alert">
          <span dir="auto">{tooMany}</span>
        </Alert>
      )}
      {rotate.error && !tooMany && <ErrorAlert error={rotate.error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate()}>
          {t("rotate.submit")}
        </Button>
      </Group>
    </Stack>
  );
};
