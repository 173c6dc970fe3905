/** Shows a new token. It cannot be shown again. */
import type { Scope } from "@comanda/contract/scopes.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyBox } from "#kit/copy-box.tsx";
import { OneTimeSecretModal } from "#kit/one-time-secret-modal.tsx";
import { firstPathFor } from "./scopes.ts";

export type CreatedToken = { token: string; scopes: readonly Scope[] };

type NewTokenModalProps = { title: string; created: CreatedToken | null; onClose: () => void };

export const NewTokenModal = ({ title, created, onClose }: NewTokenModalProps) => {
  const { t } = useTranslation();
  return (
    <OneTimeSecretModal title={title} isOpen={created !== null} warning={t("shown.guardLead")} onClose={onClose}>
      {({ onCopied, onDone }) => created && <Secrets created={created} onCopied={onCopied} onDone={onDone} />}
    </OneTimeSecretModal>
  );
};

const Secrets = ({ created, onCopied, onDone }: { created: CreatedToken; onCopied: () => void; onDone: () => void }) => {
  const { t } = useTranslation();
  const path = firstPathFor(created.scopes);
  return (
    <Stack gap="lg">
      <Text c="dimmed">{t("shown.once")}</Text>
      <CopyBox label={t("shown.token")} text={created.token} isLarge onCopied={onCopied} />
      <CopyBox label={t("shown.env")} text={`COMANDA_TOKEN='${created.token}'`} onCopied={onCopied} />
      {path && (
        <CopyBox
          label={t("shown.curl")}
          text={`curl -s ${window.location.origin}/api/v1${path} -H 'Authorization: Bearer ${created.token}'`}
          onCopied={onCopied}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {t("shown.done")}
        </Button>
      </Group>
    </Stack>
  );
};
