/** Pays an order with a gift card: the code first, then as much of what is due as is on the card. */
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { Button, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type CallInput, call, hasErrorCode, isUnanswered, isWorthRetrying } from "../../api.ts";
import { CardCodeField, isWholeCode } from "../../gift-cards/card-code-field.tsx";
import { CardEnd } from "../../gift-cards/card-texts.tsx";
import { useLookUp } from "../../gift-cards/check-card.tsx";
import { enGiftCards } from "../../texts/en-gift-cards.ts";
import { addEnglishTexts } from "../../texts/language.ts";
import { formatMoney } from "../../ui/number-format.ts";
import { useToast } from "../../ui/toast.ts";
import { createTries } from "../../ui/tries.ts";
import { applyWritten } from "../board-query.ts";
import { dueOf, readAmount, writeAmount } from "../counter-amounts.ts";
import { orderNameOf } from "../order-steps.ts";
import { useWriteError } from "../write-errors.ts";

addEnglishTexts(enGiftCards);

type GiftCardPaymentProps = { venue: string; order: BoardOrder; onClose: () => void };
type FoundCard = { card: GiftCardState; code: string };

export const GiftCardPayment = (props: GiftCardPaymentProps) => {
  const [found, setFound] = useState<FoundCard | null>(null);
  return found === null ? (
    <CardOfGuest venue={props.venue} onFound={setFound} />
  ) : (
    <AmountOfCard {...props} found={found} onOther={() => setFound(null)} />
  );
};

const CardOfGuest = ({ venue, onFound }: { venue: string; onFound: (found: FoundCard) => void }) => {
  const { t } = useTranslation();
  const [written, setWritten] = useState("");
  const { isPending, error, lookUp, reset } = useLookUp(venue, (card, code) => onFound({ card, code }));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
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
    </form>
  );
};

type Paying = Pick<CallInput<"payWithGiftCard">, "body" | "idempotencyKey">;

const usePay = ({ venue, order, onClose, onOther }: GiftCardPaymentProps & { onOther: () => void }) => {
  const { t } = useTranslation();
  const toast = useToast();
  const queryClient = useQueryClient();
  const explain = useWriteError(venue);
  const [tries] = useState(() => createTries<{ code: string; amount_minor: number }, { seen_paid_minor: number }>());
  const paying = useMutation({
    mutationFn: (payment: Paying) => call("payWithGiftCard", { params: { venue, order: order.order.id }, ...payment }),
    networkMode: "always",
    retry: isWorthRetrying,
    onSuccess: ({ data }, { body }) => {
      tries.end();
      applyWritten(queryClient, venue, data);
      toast.done(t("payment.taken", { amount: formatMoney(body.amount_minor, data.order.currency), name: orderNameOf(data) }));
    },
    onError: (error) => {
      if (!isUnanswered(error)) tries.end();
      if (!hasErrorCode(error, "validation_failed")) return explain(error, "payment");
      onOther();
      return toast.note(t("giftCards.payRefused"));
    },
  });
  return {
    isPending: paying.isPending,
    pay: (code: string, amount_minor: number) =>
      paying.mutate(tries.begin({ code, amount_minor }, { seen_paid_minor: order.paid_minor }), { onSuccess: onClose }),
  };
};

/** Why nothing can be paid with it. */
const refusalOf = ({ status, balance_minor }: GiftCardState) => {
  if (status === "frozen") return "giftCards.payFrozen";
  if (status === "expired") return "giftCards.payExpired";
  return balance_minor === 0 ? "giftCards.payEmpty" : null;
};

const AmountOfCard = ({ found: { card, code }, ...props }: GiftCardPaymentProps & { found: FoundCard; onOther: () => void }) => {
  const { t } = useTranslation();
  const { currency } = card;
  const most = Math.min(dueOf(props.order), card.balance_minor);
  const { isPending, pay } = usePay(props);
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
          <Button className="payment-method" data-autofocus disabled={!isRight} loading={isPending} onClick={() => pay(code, amount ?? 0)}>
            {t("giftCards.paySubmit", { amount: formatMoney(amount ?? 0, currency) })}
          </Button>
        )}
        <Button variant="default" className="service-target" onClick={props.onOther}>
          {t("giftCards.payOther")}
        </Button>
      </Stack>
    </Stack>
  );
};
