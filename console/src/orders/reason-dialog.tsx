/** Asks why: an order is rejected or cancelled, or one of its lines is struck. A frequent reason is one tap. */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { enOrders } from "../texts/en-orders.ts";
import { Dialog } from "../ui/dialog.tsx";
import { useBoardContext } from "./order-actions.ts";
import { orderNameOf } from "./order-steps.ts";

type ReasonChoice = keyof typeof enOrders.reason.choices;

const CHOICES: Record<"reject" | "cancel", readonly ReasonChoice[]> = {
  reject: ["soldOut", "busy", "closing", "address"],
  cancel: ["guest", "double", "mistake", "unreachable"],
};
const REASON_LENGTH_MIN = 3;
const REASON_LENGTH_MAX = 200;

type MoveReasonProps = { order: BoardOrder; kind: "reject" | "cancel"; onClose: () => void };

export const MoveReasonDialog = ({ order, kind, onClose }: MoveReasonProps) => {
  const { t } = useTranslation();
  const { move } = useBoardContext();
  return (
    <ReasonDialog
      title={t(`reason.${kind}Title`, { name: orderNameOf(order) })}
      lead={t(`reason.${kind}Lead`)}
      choices={CHOICES[kind]}
      submitLabel={t(`reason.${kind}`)}
      keepLabel={t("reason.keep")}
      onReason={(reason) => {
        move(order, kind === "reject" ? "rejected" : "cancelled", reason);
        onClose();
      }}
      onClose={onClose}
    />
  );
};

type ReasonDialogProps = {
  title: string;
  lead: string;
  choices: readonly ReasonChoice[];
  submitLabel: string;
  keepLabel: string;
  isPending?: boolean;
  onReason: (reason: string) => void;
  onClose: () => void;
};

export const ReasonDialog = ({ title, lead, choices, submitLabel, keepLabel, isPending = false, onReason, onClose }: ReasonDialogProps) => {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const isLongEnough = reason.trim().length >= REASON_LENGTH_MIN;
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isLongEnough) onReason(reason.trim());
        }}
      >
        <Stack gap="md">
          <Text c="dimmed">{lead}</Text>
          <fieldset className="reason-choices" aria-label={t("reason.quick")}>
            {choices.map((choice) => (
              <Button
                key={choice}
                variant="default"
                className="service-target"
                disabled={isPending}
                onClick={() => onReason(t(`reason.choices.${choice}`))}
              >
                {t(`reason.choices.${choice}`)}
              </Button>
            ))}
          </fieldset>
          <Textarea
            label={t("reason.label")}
            description={t("reason.hint")}
            maxLength={REASON_LENGTH_MAX}
            dir="auto"
            rows={2}
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" className="service-target" onClick={onClose}>
              {keepLabel}
            </Button>
            <Button type="submit" color="red.9" className="service-target" disabled={!isLongEnough} loading={isPending}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
};
