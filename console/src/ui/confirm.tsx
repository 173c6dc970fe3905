/** A question before something that cannot be taken back. The safe answer has the focus. */
import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

type Props = {
  isOpen: boolean;
  title: string;
  lead: string;
  action: string;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
  isDangerous?: boolean;
  children?: ReactNode;
};

export const Confirm = ({ isOpen, title, lead, action, isPending, onConfirm, onClose, isDangerous = true, children }: Props) => {
  const { t } = useTranslation();
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} closeButtonProps={{ "aria-label": t("common.close") }}>
      <Stack gap="md">
        <Text c="dimmed">{lead}</Text>
        {children}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose} data-autofocus>
            {t("common.cancel")}
          </Button>
          <Button {...(isDangerous ? { color: "red.9" } : {})} loading={isPending} onClick={onConfirm}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
};
