/** Asks before an action that cannot be undone. Cancel has the focus. */
import { Button, Group, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "./dialog.tsx";

type ConfirmDialogProps = {
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

export const ConfirmDialog = ({
  isOpen,
  title,
  lead,
  action,
  isPending,
  onConfirm,
  onClose,
  isDangerous = true,
  children,
}: ConfirmDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
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
    </Dialog>
  );
};
