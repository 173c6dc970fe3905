/** Recovery codes in full, for the one time they can be seen. */
import { Button, Group, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CopyBox } from "../ui/copy.tsx";
import { GuardedModal } from "../ui/guarded-modal.tsx";

type Props = { codes: readonly string[] | null; onClose: () => void };

export const RecoveryCodes = ({ codes, onClose }: Props) => {
  const { t } = useTranslation();
  return (
    <GuardedModal title={t("recovery.shownTitle")} isOpen={codes !== null} warning={t("recovery.guard")} onClose={onClose}>
      {({ onCopied, onDone }) => codes && <Codes codes={codes} onKept={onCopied} onDone={onDone} />}
    </GuardedModal>
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
