import type { WebhookRow } from "@comanda/contract/console/webhooks.ts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { fieldErrors } from "#kit/error-text.ts";
import { RollIcon } from "#kit/icons.tsx";
import { useWrite } from "#kit/write.ts";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import type { NewSigningSecret } from "./signing-secret-modal.tsx";
import { webhooksQuery } from "./webhook-queries.ts";

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
  const { write, isPending, error } = useWrite<"rotateSecret">({
    readAgain: [webhooksQuery(venue).queryKey],
    onDone: ({ data: { id, secret, previous_until } }) => onRotated({ id, secret, previousUntil: previous_until }),
    // The form says why.
    onRefused: () => undefined,
  });
  const tooMany = fieldErrors(error).secret;
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
      {error && !tooMany && <ErrorAlert error={error} />}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose} data-autofocus>
          {t("common.cancel")}
        </Button>
        <Button loading={isPending} onClick={() => write({ id: "rotateSecret", params: { venue, id: webhook.id } })}>
          {t("rotate.submit")}
        </Button>
      </Group>
    </Stack>
  );
};
