/** A client secret in full, for the one time it can be seen. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Reply } from "../../api.ts";
import { CopyBox } from "../../ui/copy.tsx";
import { GuardedModal } from "../../ui/guarded-modal.tsx";

export type NewSecret = Reply<"registerApp">["data"];

export const SecretShown = ({ made, onClose }: { made: NewSecret | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <GuardedModal title={t("appSecret.title")} isOpen={made !== null} warning={t("appSecret.guard")} onClose={onClose}>
      {({ onCopied, onDone }) =>
        made && (
          <Stack gap="lg">
            <Text c="dimmed">{t("appSecret.lead")}</Text>
            <CopyBox label={t("appSecret.secret")} text={made.client_secret} isLarge onCopied={onCopied} />
            {/* It can be looked up later: having copied it is no reason to let the secret go. */}
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
    </GuardedModal>
  );
};
