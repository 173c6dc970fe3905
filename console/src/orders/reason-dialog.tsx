/** Asks why an order is rejected or cancelled. A frequent reason is one tap. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../ui/dialog.tsx";
import { useBoardContext } from "./order-actions.ts";
import { orderNameOf } from "./order-steps.ts";

const CHOICES = {
  reject: ["soldOut", "busy", "closing", "address"],
  cancel: ["guest", "double", "mistake", "unreachable"],
} as const;
const REASON_LENGTH_MIN = 3;
const REASON_LENGTH_MAX = 200;

type ReasonDialogProps = { order: BoardOrder; kind: "reject" | "cancel"; onClose: () => void };

export const ReasonDialog = ({ order, kind, onClose }: ReasonDialogProps) => {
  const { t } = useTranslation();
  const { move } = useBoardContext();
  const [reason, setReason] = useState("");
  const isLongEnough = reason.trim().length >= REASON_LENGTH_MIN;
  const submit = (given: string): void => {
    move(order, kind === "reject" ? "rejected" : "cancelled", given.trim());
    onClose();
  };
  return (
    <Dialog isOpen onClose={onClose} title={t(`reason.${kind}Title`, { name: orderNameOf(order) })}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isLongEnough) submit(reason);
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">{t(`reason.${kind}Lead`)}</Text>
          <fieldset className="reason-choices" aria-label={t("reason.quick")}>
            {CHOICES[kind].map((choice) => (
              <Button key={choice} variant="default" className="service-target" onClick={() => submit(t(`reason.choices.${choice}`))}>
                {t(`reason.choices.${choice}`)}
              </Button>
            ))}
          </fieldset>
          <Textarea
            label={t("reason.label")}
            description={t("reason.hint")}
            maxLength={REASON_LENGTH_MAX}
            dir="auto"
            autosize
            minRows={2}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" className="service-target" onClick={onClose}>
              {t("reason.keep")}
            </Button>
            <Button type="submit" color="red.9" className="service-target" disabled={!isLongEnough}>
              {t(`reason.${kind}`)}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
