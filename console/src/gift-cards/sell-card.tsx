/** Sells a card, or gives one out. The code is drawn here and sent with the sale, so a repeated tap sells one card. */

import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { GiftCardDesk } from "@comanda/contract/console/gift-cards.ts";
import type { FoundGuest } from "@comanda/contract/console/guests.ts";
import { type Minor, minor } from "@comanda/contract/minor.ts";
import { Button, NativeSelect, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readAmount } from "#kit/amounts.ts";
import { SideDialog } from "#kit/dialog.tsx";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { yearsAfter } from "./card-dates.ts";
import { CardAmount, isReason, ReasonField } from "./card-fields.tsx";
import { ChooseGuest } from "./choose-guest.tsx";
import { cardKeys } from "./gift-card-queries.ts";
import type { ShownCard } from "./new-card-code.tsx";

const METHODS = ["cash", "card_terminal", "other"] as const;
const YEARS = [1, 2, 3, 5] as const;
const AMOUNT_MAX = 2_147_483_647;

type SellCardProps = { kind: "sell" | "give" | null; desk: GiftCardDesk; onClose: () => void; onSold: (card: ShownCard) => void };

export const SellCard = ({ kind, ...props }: SellCardProps) => {
  const { t } = useTranslation();
  return (
    <SideDialog
      isOpen={kind !== null}
      onClose={props.onClose}
      title={t(kind === "give" ? "giftCards.giveTitle" : "giftCards.sellTitle")}
      size={480}
    >
      {kind !== null && <CardForm kind={kind} {...props} />}
    </SideDialog>
  );
};

type How = { method: (typeof METHODS)[number] } | { reason: string };
type CardDraft = { amount: string; years: string; guest: FoundGuest | null; message: string; reason: string };

const useIssue = ({ desk, onClose, onSold }: SellCardProps) => {
  const venue = useVenue();
  const [code] = useState(() => drawGiftCardCode());
  // A press after midnight repeats the one before it.
  const [{ today }] = useState(desk);
  const { write, isPending, wanted } = useWrite<"sellGiftCard" | "giveGiftCard">({
    readAgain: cardKeys(venue),
    onDone: ({ data: { balance_minor, currency, expires_on } }, { body: { message } }) => {
      onClose();
      onSold({ code, balance_minor, currency, expires_on, message });
    },
  });
  const issue = (draft: CardDraft, amount_minor: Minor, how: How): void => {
    const card = {
      code,
      amount_minor,
      expires_on: draft.years === "" ? null : yearsAfter(today, Number(draft.years)),
      guest_id: draft.guest?.id ?? null,
      message: draft.message.trim() || null,
    };
    write(
      "method" in how
        ? { id: "sellGiftCard", params: { venue }, body: { ...card, ...how } }
        : { id: "giveGiftCard", params: { venue }, body: { ...card, ...how } },
    );
  };
  return { issue, isPending, pendingMethod: wanted?.id === "sellGiftCard" ? wanted.body.method : null };
};

const CardForm = (props: SellCardProps) => {
  const { t } = useTranslation();
  const { kind, desk } = props;
  const [draft, setDraft] = useState<CardDraft>({ amount: "", years: "", guest: null, message: "", reason: "" });
  const change = (part: Partial<CardDraft>): void => setDraft((before) => ({ ...before, ...part }));
  const { issue, isPending, pendingMethod } = useIssue(props);
  const amount = readAmount(draft.amount, desk.currency);
  const isRight = amount !== null && amount > 0 && amount <= AMOUNT_MAX;
  return (
    <Stack gap="md">
      <CardFields desk={desk} draft={draft} onChange={change} isWrong={draft.amount !== "" && !isRight} />
      {kind === "sell" ? (
        <>
          <div>
            <Text fw={600}>{t("giftCards.paidBy")}</Text>
            <Text size="sm" c="dimmed">
              {t("giftCards.paidByHint")}
            </Text>
          </div>
          <div className="card-methods">
            {METHODS.map((method) => (
              <Button
                key={method}
                size="md"
                className="service-target"
                variant={method === "other" ? "default" : "filled"}
                disabled={!isRight || isPending}
                loading={isPending && pendingMethod === method}
                onClick={() => issue(draft, amount ?? minor(0), { method })}
              >
                {t(`payment.methods.${method}`)}
              </Button>
            ))}
          </div>
        </>
      ) : (
        <GiveFields
          draft={draft}
          isRight={isRight}
          isPending={isPending}
          onChange={change}
          onGive={(reason) => issue(draft, amount ?? minor(0), { reason })}
        />
      )}
    </Stack>
  );
};

type CardFieldsProps = { desk: GiftCardDesk; draft: CardDraft; isWrong: boolean; onChange: (part: Partial<CardDraft>) => void };

const CardFields = ({ desk, draft, isWrong, onChange }: CardFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <CardAmount
        label={t("giftCards.amount")}
        error={isWrong && t("giftCards.amountWrong")}
        currency={desk.currency}
        value={draft.amount}
        onChange={(amount) => onChange({ amount })}
      />
      <NativeSelect
        label={t("giftCards.validity")}
        size="md"
        value={draft.years}
        onChange={(event) => onChange({ years: event.currentTarget.value })}
        data={[
          { value: "", label: t("giftCards.noEnd") },
          ...YEARS.map((count) => ({ value: String(count), label: t("giftCards.years", { count }) })),
        ]}
      />
      <ChooseGuest guest={draft.guest} onChoose={(guest) => onChange({ guest })} />
      <Textarea
        label={t("giftCards.message")}
        description={t("giftCards.messageHint")}
        size="md"
        dir="auto"
        maxLength={200}
        autosize
        minRows={2}
        value={draft.message}
        onChange={(event) => onChange({ message: event.currentTarget.value })}
      />
    </>
  );
};

type GiveFieldsProps = {
  draft: CardDraft;
  isRight: boolean;
  isPending: boolean;
  onChange: (part: Partial<CardDraft>) => void;
  onGive: (reason: string) => void;
};

const GiveFields = ({ draft, isRight, isPending, onChange, onGive }: GiveFieldsProps) => {
  const { t } = useTranslation();
  return (
    <>
      <ReasonField value={draft.reason} onChange={(reason) => onChange({ reason })} />
      <Button size="md" disabled={!isRight || !isReason(draft.reason)} loading={isPending} onClick={() => onGive(draft.reason.trim())}>
        {t("giftCards.giveSubmit")}
      </Button>
    </>
  );
};
