import type { WebhookRow } from "@comanda/contract/console-webhooks.ts";
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { call } from "../../api.ts";
import { RollIcon } from "../../ui/icons.tsx";
import { fieldFaults } from "../../ui/refusal.ts";
import { Fault } from "../../ui/states.tsx";
import { useVenue } from "../venue.ts";
import type { NewSecret } from "./secret-shown.tsx";
import { useWebhooksChanged } from "./webhook-queries.ts";

type Props = { webhook: WebhookRow | null; onClose: () => void; onRotated: (made: NewSecret) => void };

export const RotateSecret = ({ webhook, onClose, onRotated }: Props) => {
  const { t } = useTranslation();
  return (
    <Modal opened={webhook !== null} onClose={onClose} title={t("rotate.title")} closeButtonProps={{ "aria-label": t("common.close") }}>
      {webhook && <RotateForm webhook={webhook} onClose={onClose} onRotated={onRotated} />}
    </Modal>
  );
};

const RotateForm = ({ webhook, onClose, onRotated }: Props & { webhook: WebhookRow }) => {
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
  const tooMany = fieldFaults(rotate.error).secret;
  return (
    <Stack gap="md">
      <Text size="sm" className="break">
        <span className="code">{webhook.url}</span>
      </Text>
      <Text c="dimmed">{t("rotate.lead")}</Text>
      <ol className="overlap">
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
      {rotate.error && !tooMany && <Fault error={rotate.error} />}
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
