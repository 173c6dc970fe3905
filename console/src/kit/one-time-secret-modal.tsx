/** A modal for a secret that is shown once. Closing it before copying asks for confirmation. */
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog, useReturnFocus } from "./dialog.tsx";
import { WarningIcon } from "./icons.tsx";

type OneTimeSecretModalProps = {
  title: string;
  isOpen: boolean;
  /** The consequence of closing, as a sentence. */
  warning: string;
  onClose: () => void;
  children: (given: { onCopied: () => void; onDone: () => void }) => ReactNode;
};

export const OneTimeSecretModal = ({ title, isOpen, warning, onClose, children }: OneTimeSecretModalProps) => {
  const [hasCopied, setCopied] = useState(false);
  const [isGuarding, setGuarding] = useState(false);
  useReturnFocus(isOpen);
  const leave = () => {
    setCopied(false);
    setGuarding(false);
    onClose();
  };
  const tryToLeave = () => (hasCopied ? leave() : setGuarding(true));
  return (
    <Dialog isOpen={isOpen} onClose={tryToLeave} title={title} size="lg" closeOnClickOutside={false} returnFocus={false}>
      {isGuarding && <CloseWarning warning={warning} onStay={() => setGuarding(false)} onLeave={leave} />}
      {/* Stays mounted behind the warning, so that its state is kept. */}
      <div hidden={isGuarding}>{isOpen && children({ onCopied: () => setCopied(true), onDone: tryToLeave })}</div>
    </Dialog>
  );
};

const CloseWarning = ({ warning, onStay, onLeave }: { warning: string; onStay: () => void; onLeave: () => void }) => {
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
