/** Pays an order with a gift card: the code first, then as much of what is due as is on the card. */

import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CardCodeField, isWholeCode } from "#gift-cards/card-code-field.tsx";
import { CardEnd } from "#gift-cards/card-texts.tsx";
import { useLookUp } from "#gift-cards/check-card.tsx";
import { enGiftCards } from "#gift-cards/texts.en.ts";
import { readAmount, writeAmount } from "#kit/amounts.ts";
import { hasErrorCode } from "#kit/api.ts";
import { Form } from "#kit/form.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { applyWritten } from "../board-query.ts";
import { dueOf } from "../counter-amounts.ts";
import { orderNameOf } from "../order-steps.ts";
import { useTakeOver } from "../write-errors.ts";

addEnglishTexts(enGiftCards);

type GiftCardPaymentProps = { venue: string; order: BoardOrder; onClose: () => void };
type FoundCard = { card: GiftCardState; code: string };

export const GiftCardPayment = (props: GiftCardPaymentProps) => {
  const [found, setFound] = useState<FoundCard | null>(null);
  const other = (): void => setFound(null);
  // Here, so that a card that is read again after a lost answer pays once.
  const paying = usePay(props, other);
  return found === null ? (
    <CardOfGuest venue={props.venue} onFound={setFound} />
  ) : (
    <AmountOfCard order={props.order} found={found} paying={paying} onOther={other} />
  );
};

const CardOfGuest = ({ venue, onFound }: { venue: string; onFound: (found: FoundCard) => void }) => {
  const { t } = useTranslation();
  const [written, setWritten] = useState("");
  const { isPending, error, lookUp, reset } = useLookUp(venue, (card, code) => onFound({ card, code }));
  return (
    <Form
      onSubmit={() => {
        lookUp(written);
      }}
    >
      <Stack gap="lg">
        <CardCodeField
          size="lg"
          written={written}
          error={error}
          onChange={(text) => {
            setWritten(text);
            reset();
          }}
        />
        <Button type="submit" className="payment-method" loading={isPending} disabled={!isWholeCode(written)}>
          {t("giftCards.payCheck")}
        </Button>
      </Stack>
    </Form>
  );
};

const usePay = ({ venue, order, onClose }: GiftCardPaymentProps, onOther: () => void) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const takeOver = useTakeOver();
  const { write, isPending } = useWrite<"payWithGiftCard">({
    onDone: ({ data }, { body }) => {
      applyWritten(queryClient, venue, data);
      toast.done(t("payment.taken", { amount: formatMoney(body.amount_minor, data.order.currency), name: orderNameOf(data) }));
    },
    onChanged: (changed) => t("board.paidMeanwhile", { name: orderNameOf(takeOver(venue, changed)) }),
    onRefused: (error) => {
      if (!hasErrorCode(error, "validation_failed")) return toast.error(error);
      onOther();
      return toast.note(t("giftCards.payRefused"));
    },
  });
  return {
    isPending,
    pay: (code: string, amount_minor: Minor): void =>
      write(
        {
          id: "payWithGiftCard",
          params: { venue, order: order.order.id },
          body: { code, amount_minor, seen_paid_minor: order.paid_minor },
        },
        onClose,
      ),
  };
};

/** Why nothing can be paid with it. */
const refusalOf = ({ status, balance_minor }: GiftCardState) => {
  if (status === "frozen") return "giftCards.payFrozen";
  if (status === "expired") return "giftCards.payExpired";
  return balance_minor === 0 ? "giftCards.payEmpty" : null;
};

type AmountProps = { order: BoardOrder; found: FoundCard; paying: ReturnType<typeof usePay>; onOther: () => void };

const AmountOfCard = ({ order, found: { card, code }, paying: { isPending, pay }, onOther }: AmountProps) => {
  const { t } = useTranslation();
  const { currency } = card;
  const most = minor(Math.min(dueOf(order), card.balance_minor));
  const [written, setWritten] = useState<string | null>(null);
  const amount = written === null ? most : readAmount(written, currency);
  const isRight = amount !== null && amount > 0 && amount <= most;
  const refusal = refusalOf(card);
  return (
    <Stack gap="lg">
      <Text role="status">
        <CardEnd last4={card.code_last4} /> {t(refusal ?? "giftCards.payFound", { amount: formatMoney(card.balance_minor, currency) })}
      </Text>
      {refusal === null && (
        <TextInput
          label={t("giftCards.payAmount")}
          error={!isRight && t("giftCards.payAmountWrong", { amount: formatMoney(most, currency) })}
          size="lg"
          dir="ltr"
          inputMode="decimal"
          autoComplete="off"
          className="figures"
          rightSection={currency}
          rightSectionWidth={64}
          value={written ?? writeAmount(most, currency)}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
      )}
      <Stack gap="sm">
        {refusal === null && (
          <Button
            className="payment-method"
            data-autofocus
            disabled={!isRight}
            loading={isPending}
            onClick={() => pay(code, amount ?? minor(0))}
          >
            {t("giftCards.paySubmit", { amount: formatMoney(amount ?? minor(0), currency) })}
          </Button>
        )}
        <Button variant="default" className="service-target" onClick={onOther}>
          {t("giftCards.payOther")}
        </Button>
      </Stack>
    </Stack>
  );
};
