/** Around what is shown once: whoever closes it uncopied is asked first. */
import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { WarningIcon } from "./icons.tsx";
import { useOpener } from "./opener.ts";

type Props = {
  title: string;
  isOpen: boolean;
  /** What is lost by closing it. */
  warning: string;
  onClose: () => void;
  children: (given: { onCopied: () => void; onDone: () => void }) => ReactNode;
};

export const GuardedModal = ({ title, isOpen, warning, onClose, children }: Props) => {
  const { t } = useTranslation();
  const [hasCopied, setCopied] = useState(false);
  const [isGuarding, setGuarding] = useState(false);
  useOpener(isOpen);
  const leave = () => {
    setCopied(false);
    setGuarding(false);
    onClose();
  };
  const tryToLeave = () => (hasCopied ? leave() : setGuarding(true));
  return (
    <Modal
      opened={isOpen}
      onClose={tryToLeave}
      title={title}
      size="lg"
      closeButtonProps={{ "aria-label": t("common.close") }}
      closeOnClickOutside={false}
      returnFocus={false}
    >
      {isGuarding && <Guard warning={warning} onStay={() => setGuarding(false)} onLeave={leave} />}
      {/* Stays in place while the question is asked: what was chosen or sent in it is not lost. */}
      <div hidden={isGuarding}>{isOpen && children({ onCopied: () => setCopied(true), onDone: tryToLeave })}</div>
    </Modal>
  );
};

const Guard = ({ warning, onStay, onLeave }: { warning: string; onStay: () => void; onLeave: () => void }) => {
  const { t } = useTranslation();
  return (
    <Alert color="orange" icon={<WarningIcon />} title={t("shown.guardTitle")} role="alert">
      <Stack gap="md">
        <Text size="sm" c="inherit">
          {warning}
        </Text>
        <Group gap="sm">
          <Button onClick={onStay} data-autofocus>
            {t("shown.guardStay")}
          </Button>
          <Button variant="default" onClick={onLeave}>
            {t("shown.guardLeave")}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};
