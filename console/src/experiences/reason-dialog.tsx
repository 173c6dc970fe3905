/** A step that needs a reason, which the activity log keeps. */
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";

const REASON_LENGTH_MIN = 3;

/** `keep` is on the button that leaves everything as it is. */
type StepReasonProps = {
  title: string;
  action: string;
  keep: string;
  isPending: boolean;
  onSubmit: (reason: string) => void;
  onClose: () => void;
  children: ReactNode;
};

export const ReasonDialog = ({ title, action, keep, isPending, onSubmit, onClose, children }: StepReasonProps) => {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Form
        onSubmit={() => {
          onSubmit(reason.trim());
        }}
      >
        <Stack gap="md">
          {children}
          <TextInput
            label={t("experiences.reason")}
            description={t("experiences.reasonHint")}
            size="md"
            dir="auto"
            maxLength={200}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {keep}
            </Button>
            <Button type="submit" size="md" color="red.9" disabled={reason.trim().length < REASON_LENGTH_MIN} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};
