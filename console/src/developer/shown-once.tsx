/** A token in full, for the one time it can be seen. */
import type { Scope } from "@comanda/contract/scopes.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyBox } from "../ui/copy.tsx";
import { GuardedModal } from "../ui/guarded-modal.tsx";
import { firstPathFor } from "./scopes.ts";

export type NewToken = { token: string; scopes: readonly Scope[] };

type Props = { title: string; created: NewToken | null; onClose: () => void };

export const ShownOnce = ({ title, created, onClose }: Props) => {
  const { t } = useTranslation();
  return (
    <GuardedModal title={title} isOpen={created !== null} warning={t("shown.guardLead")} onClose={onClose}>
      {({ onCopied, onDone }) => created && <Secrets created={created} onCopied={onCopied} onDone={onDone} />}
    </GuardedModal>
  );
};

const Secrets = ({ created, onCopied, onDone }: { created: NewToken; onCopied: () => void; onDone: () => void }) => {
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
