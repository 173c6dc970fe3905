/** Shows new recovery codes. They cannot be shown again. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyBox } from "#kit/copy-box.tsx";
import { OneTimeSecretModal } from "#kit/one-time-secret-modal.tsx";

type RecoveryCodesProps = { codes: readonly string[] | null; onClose: () => void };

export const RecoveryCodes = ({ codes, onClose }: RecoveryCodesProps) => {
  const { t } = useTranslation();
  return (
    <OneTimeSecretModal title={t("recovery.shownTitle")} isOpen={codes !== null} warning={t("recovery.guard")} onClose={onClose}>
      {({ onCopied, onDone }) => codes && <Codes codes={codes} onKept={onCopied} onDone={onDone} />}
    </OneTimeSecretModal>
  );
};

const Codes = ({ codes, onKept, onDone }: { codes: readonly string[]; onKept: () => void; onDone: () => void }) => {
  const { t } = useTranslation();
  const print = () => {
    onKept();
    window.print();
  };
  return (
    <Stack gap="lg" className="printed">
      <Text c="dimmed">{t("recovery.shownLead")}</Text>
      <CopyBox label={t("recovery.list")} text={codes.join("\n")} isLarge onCopied={onKept} />
      <Group justify="flex-end" gap="sm" className="unprinted">
        <Button variant="default" onClick={print}>
          {t("recovery.print")}
        </Button>
        <Button variant="default" onClick={onDone}>
          {t("recovery.done")}
        </Button>
      </Group>
    </Stack>
  );
};
