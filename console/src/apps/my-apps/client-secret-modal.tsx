/** Shows a new client secret. It cannot be shown again. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { CallReply } from "#kit/api.ts";
import { CopyBox } from "#kit/copy-box.tsx";
import { OneTimeSecretModal } from "#kit/one-time-secret-modal.tsx";

export type NewClientSecret = CallReply<"registerApp">["data"];

export const ClientSecretModal = ({ made, onClose }: { made: NewClientSecret | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <OneTimeSecretModal title={t("appSecret.title")} isOpen={made !== null} warning={t("appSecret.guard")} onClose={onClose}>
      {({ onCopied, onDone }) =>
        made && (
          <Stack gap="lg">
            <Text c="dimmed">{t("appSecret.lead")}</Text>
            <CopyBox label={t("appSecret.secret")} text={made.client_secret} isLarge onCopied={onCopied} />
            {/* Copying the client id does not allow closing: only the secret cannot be shown again. */}
            <CopyBox label={t("appSecret.id")} text={made.client_id} />
            <CopyBox
              label={t("appSecret.env")}
              text={`CLIENT_ID='${made.client_id}'\nCLIENT_SECRET='${made.client_secret}'`}
              onCopied={onCopied}
            />
            <Group justify="flex-end">
              <Button variant="default" onClick={onDone}>
                {t("shown.done")}
              </Button>
            </Group>
          </Stack>
        )
      }
    </OneTimeSecretModal>
  );
};
