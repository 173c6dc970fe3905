/** Freeze, correct, and a new code for a lost card. Freezing is undone by the same button. */

import { drawGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import type { GiftCardLedger, GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import { minor } from "@comanda/contract/minor.ts";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { readAmount, writeAmount } from "#kit/amounts.ts";
import { ConfirmDialog } from "#kit/confirm-dialog.tsx";
import { Dialog } from "#kit/dialog.tsx";
import { Form } from "#kit/form.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { CardAmount, isReason, ReasonField } from "./card-fields.tsx";
import { cardKeys } from "./gift-card-queries.ts";
import { NewCardCode, type ShownCard } from "./new-card-code.tsx";

export const CardActions = ({ ledger: { card } }: { ledger: GiftCardLedger }) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState<"adjust" | "replace" | null>(null);
  const [shown, setShown] = useState<ShownCard | null>(null);
  if (card.status === "expired") return <Text c="dimmed">{t("giftCards.expiredLead")}</Text>;
  return (
    <Group gap="sm">
      <FreezeButton card={card} />
      <Button size="md" variant="default" onClick={() => setOpen("adjust")}>
        {t("giftCards.adjust")}
      </Button>
      <Button size="md" variant="default" onClick={() => setOpen("replace")}>
        {t("giftCards.replace")}
      </Button>
      {open === "adjust" && <AdjustDialog card={card} onClose={() => setOpen(null)} />}
      {open === "replace" && <ReplaceDialog card={card} onClose={() => setOpen(null)} onShown={setShown} />}
      <NewCardCode card={shown} onClose={() => setShown(null)} />
    </Group>
  );
};

const FreezeButton = ({ card }: { card: GiftCardState }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { write, isPending } = useWrite<"setGiftCardStatus">({
    readAgain: cardKeys(venue),
    onDone: ({ data: { status } }) => toast.done(t(status === "frozen" ? "giftCards.frozenDone" : "giftCards.unfrozenDone")),
  });
  const isActive = card.status === "active";
  const body = { seen_status: card.status, status: isActive ? "frozen" : "active" } as const;
  return (
    <Button
      size="md"
      variant={isActive ? "default" : "filled"}
      loading={isPending}
      onClick={() => write({ id: "setGiftCardStatus", params: { venue, id: card.id }, body })}
    >
      {t(isActive ? "giftCards.freeze" : "giftCards.unfreeze")}
    </Button>
  );
};

type CardDialogProps = { card: GiftCardState; onClose: () => void };

const AdjustDialog = ({ card, onClose }: CardDialogProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const toast = useToast();
  const { currency, balance_minor: before } = card;
  const [written, setWritten] = useState(writeAmount(before, currency));
  const [reason, setReason] = useState("");
  const { write, isPending } = useWrite<"adjustGiftCard">({
    readAgain: cardKeys(venue),
    onDone: ({ data: { balance_minor } }) => {
      onClose();
      toast.done(t("giftCards.adjustDone", { amount: formatMoney(balance_minor, currency) }));
    },
  });
  const after = readAmount(written, currency);
  const isRight = after !== null && after !== before;
  return (
    <Dialog isOpen onClose={onClose} title={t("giftCards.adjustTitle")}>
      <Form
        onSubmit={() => {
          const body = { seen_balance_minor: before, amount_minor: minor((after ?? before) - before), reason: reason.trim() };
          write({ id: "adjustGiftCard", params: { venue, id: card.id }, body });
        }}
      >
        <Stack gap="md">
          <CardAmount
            label={t("giftCards.adjustAmount")}
            description={t("giftCards.adjustLead", { amount: formatMoney(before, currency) })}
            currency={currency}
            value={written}
            onChange={setWritten}
          />
          <ReasonField value={reason} onChange={setReason} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" size="md" onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button type="submit" size="md" disabled={!isRight || !isReason(reason)} loading={isPending}>
              {t("giftCards.adjustSubmit")}
            </Button>
          </Group>
        </Stack>
      </Form>
    </Dialog>
  );
};

const ReplaceDialog = ({ card, onClose, onShown }: CardDialogProps & { onShown: (card: ShownCard) => void }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [code] = useState(() => drawGiftCardCode());
  const { write, isPending } = useWrite<"replaceGiftCardCode">({
    readAgain: cardKeys(venue),
    onDone: ({ data: { balance_minor, currency, expires_on } }) => {
      onClose();
      onShown({ code, balance_minor, currency, expires_on, message: null });
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={t("giftCards.replaceTitle")}
      lead={t("giftCards.replaceLead")}
      action={t("giftCards.replaceSubmit")}
      isPending={isPending}
      onConfirm={() => write({ id: "replaceGiftCardCode", params: { venue, id: card.id }, body: { seen_last4: card.code_last4, code } })}
      onClose={onClose}
    />
  );
};
