/** The code of a new card, shown once, and its slip on paper. Nothing but the printed slip has the code afterwards. */
import type { Minor } from "@comanda/contract/minor.ts";
import "#kit/print.css";
import { formatGiftCardCode } from "@comanda/contract/console/gift-card-codes.ts";
import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { createPortal } from "react-dom";
import { useTranslation } from "react-i18next";
import { CopyBox } from "#kit/copy-box.tsx";
import { formatMoney } from "#kit/number-format.ts";
import { OneTimeSecretModal } from "#kit/one-time-secret-modal.tsx";
import { useVenueName } from "#shell/venue.ts";
import { formatDay } from "./card-dates.ts";

export type ShownCard = { code: string; balance_minor: Minor; currency: string; expires_on: string | null; message: string | null };

export const NewCardCode = ({ card, onClose }: { card: ShownCard | null; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <OneTimeSecretModal title={t("giftCards.shownTitle")} isOpen={card !== null} warning={t("giftCards.shownWarning")} onClose={onClose}>
      {({ onCopied, onDone }) => card && <CodeOnce card={card} onKept={onCopied} onDone={onDone} />}
    </OneTimeSecretModal>
  );
};

const CodeOnce = ({ card, onKept, onDone }: { card: ShownCard; onKept: () => void; onDone: () => void }) => {
  const { t } = useTranslation();
  const [printedAt, setPrintedAt] = useState<number | null>(null);
  useEffect(() => {
    if (printedAt !== null) window.print();
  }, [printedAt]);
  return (
    <Stack gap="lg">
      <Text>{t("giftCards.shownLead", { amount: formatMoney(card.balance_minor, card.currency) })}</Text>
      <CopyBox label={t("giftCards.code")} text={formatGiftCardCode(card.code)} isLarge onCopied={onKept} />
      <Alert color="orange">{t("giftCards.shownOnce")}</Alert>
      <Group justify="flex-end" gap="sm">
        <Button
          size="md"
          data-autofocus
          onClick={() => {
            onKept();
            setPrintedAt(Date.now());
          }}
        >
          {t("giftCards.print")}
        </Button>
        <Button size="md" variant="default" onClick={onDone}>
          {t("shown.done")}
        </Button>
      </Group>
      {printedAt !== null && createPortal(<CardSlip card={card} />, document.body)}
    </Stack>
  );
};

const CardSlip = ({ card }: { card: ShownCard }) => {
  const { t } = useTranslation();
  const venue = useVenueName();
  return (
    <div className="print-area" aria-hidden="true">
      <p className="print-venue">{venue}</p>
      <p className="print-who">{t("giftCards.slip")}</p>
      <p className="print-number">{formatMoney(card.balance_minor, card.currency)}</p>
      {card.message !== null && (
        <p className="print-note" dir="auto">
          {card.message}
        </p>
      )}
      <p className="print-who" dir="ltr">
        {formatGiftCardCode(card.code)}
      </p>
      <p className="print-small">
        {card.expires_on === null ? t("giftCards.noEnd") : t("giftCards.until", { date: formatDay(card.expires_on) })}
      </p>
      <p className="print-small">{t("giftCards.slipHint")}</p>
    </div>
  );
};
