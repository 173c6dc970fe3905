/** Gives back a payment, or a part of it, with a reason. */

import type { BoardOrder, OrderPayment } from "@comanda/contract/console/orders.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, Group, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readAmount, writeAmount } from "#kit/amounts.ts";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { applyWritten } from "../board-query.ts";
import { orderNameOf } from "../order-steps.ts";
import { useTakeOver } from "../write-errors.ts";

type ChosenRefund = { amount_minor: Minor; reason: string };
type RefundDialogProps = { venue: string; order: BoardOrder; payment: OrderPayment; onClose: () => void };

const useRefund = ({ venue, order, payment, onClose }: RefundDialogProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const takeOver = useTakeOver();
  const { write, isPending } = useWrite<"refundOrderPayment">({
    onDone: ({ data }, { body }) => {
      applyWritten(queryClient, venue, data);
      toast.done(t("payment.refunded", { amount: formatMoney(body.amount_minor, data.order.currency), name: orderNameOf(data) }));
    },
    onChanged: (changed) => t("refund.meanwhile", { name: orderNameOf(takeOver(venue, changed)) }),
  });
  return {
    isPending,
    refund: (chosen: ChosenRefund): void =>
      write(
        {
          id: "refundOrderPayment",
          params: { venue, order: order.order.id, id: payment.id },
          body: { ...chosen, seen_refunded_minor: payment.refunded_total_minor },
        },
        onClose,
      ),
  };
};

export const RefundDialog = (props: RefundDialogProps) => {
  const { t } = useTranslation();
  const { order, payment, onClose } = props;
  const { currency } = order.order;
  const left = minor(payment.amount_minor - payment.refunded_total_minor);
  const { isPending, refund } = useRefund(props);
  const [written, setWritten] = useState<string | null>(null);
  const [reason, setReason] = useState("");
  const amount = written === null ? left : readAmount(written, currency);
  const isRight = amount !== null && amount > 0 && amount <= left;
  const submit = (): void => refund({ amount_minor: amount ?? minor(0), reason: reason.trim() });
  return (
    <Dialog isOpen onClose={onClose} title={t("payment.refundTitle", { name: orderNameOf(order) })}>
      <Form
        onSubmit={() => {
          submit();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t("payment.amount")}
            description={t("payment.refundLead", { amount: formatMoney(left, currency) })}
            error={!isRight && t("payment.amountWrong", { amount: formatMoney(left, currency) })}
            size="lg"
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            rightSection={currency}
            rightSectionWidth={64}
            value={written ?? writeAmount(left, currency)}
            onChange={(event) => setWritten(event.currentTarget.value)}
          />
          <TextInput
            label={t("reason.label")}
            description={t("reason.hint")}
            maxLength={200}
            dir="auto"
            size="md"
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" className="service-target" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button
              type="submit"
              color="red.9"
              className="service-target"
              disabled={!isRight || reason.trim().length < 3}
              loading={isPending}
            >
              {t("payment.refundSubmit")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};
