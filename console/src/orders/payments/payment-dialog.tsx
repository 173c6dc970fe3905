/** Takes a payment at the counter: the amount that is due is written already, the method is the second tap. */

import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readAmount, writeAmount } from "#kit/amounts.ts";
import { Dialog } from "#kit/dialog.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { applyWritten } from "../board-query.ts";
import { dueOf } from "../counter-amounts.ts";
import { orderNameOf } from "../order-steps.ts";
import { useTakeOver } from "../write-errors.ts";
import { GiftCardPayment } from "./gift-card-payment.tsx";

const METHODS = ["cash", "card_terminal", "other"] as const;

type PaymentDialogProps = { venue: string; order: BoardOrder; onClose: () => void };

type ChosenPayment = { method: (typeof METHODS)[number]; amount_minor: Minor };

const useTakePayment = ({ venue, order, onClose }: PaymentDialogProps) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const takeOver = useTakeOver();
  const { write, isPending, wanted } = useWrite<"takePayment">({
    onDone: ({ data }, { body }) => {
      applyWritten(queryClient, venue, data);
      toast.done(t("payment.taken", { amount: formatMoney(body.amount_minor, data.order.currency), name: orderNameOf(data) }));
    },
    onChanged: (changed) => t("board.paidMeanwhile", { name: orderNameOf(takeOver(venue, changed)) }),
  });
  return {
    isPending,
    method: wanted?.body.method,
    /** A late answer closes nothing that was opened since. */
    take: (chosen: ChosenPayment): void =>
      write(
        { id: "takePayment", params: { venue, order: order.order.id }, body: { ...chosen, seen_paid_minor: order.paid_minor } },
        onClose,
      ),
  };
};

export const PaymentDialog = (props: PaymentDialogProps) => {
  const { t } = useTranslation();
  const { order, onClose } = props;
  const { currency } = order.order;
  const due = dueOf(order);
  const { isPending, method: takenBy, take } = useTakePayment(props);
  const [isByCard, setByCard] = useState(false);
  const [written, setWritten] = useState<string | null>(null);
  const amount = written === null ? due : readAmount(written, currency);
  const isRight = amount !== null && amount > 0 && amount <= due;
  const title = t("payment.title", { name: orderNameOf(order) });
  if (isByCard)
    return (
      <Dialog isOpen onClose={onClose} title={title}>
        <GiftCardPayment {...props} />
      </Dialog>
    );
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <Stack gap="lg">
        <TextInput
          label={t("payment.amount")}
          description={t("payment.amountHint", { amount: formatMoney(due, currency) })}
          error={!isRight && t("payment.amountWrong", { amount: formatMoney(due, currency) })}
          size="lg"
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          rightSection={currency}
          rightSectionWidth={64}
          value={written ?? writeAmount(due, currency)}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
        <div className="payment-methods">
          {METHODS.map((method, place) => (
            <Button
              key={method}
              className="payment-method"
              variant={method === "other" ? "default" : "filled"}
              {...(place === 0 ? { "data-autofocus": true } : {})}
              disabled={!isRight || isPending}
              loading={isPending && takenBy === method}
              onClick={() => take({ method, amount_minor: amount ?? minor(0) })}
            >
              {t(`payment.methods.${method}`)}
            </Button>
          ))}
          <Button className="payment-method payment-by-card" variant="default" disabled={isPending} onClick={() => setByCard(true)}>
            {t("payment.methods.gift_card")}
          </Button>
        </div>
      </Stack>
    </Dialog>
  );
};
