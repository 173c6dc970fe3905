/** A card in words: its end of code, its state, what is on it. */
import type { GiftCardState } from "@comanda/contract/console/gift-cards.ts";
import { useTranslation } from "react-i18next";
import { formatMoney } from "#kit/number-format.ts";
import { formatDay } from "./card-dates.ts";

export const CardEnd = ({ last4 }: { last4: string }) => (
  <bdi dir="ltr" className="card-end code">
    ····&nbsp;{last4}
  </bdi>
);

export const CardStatus = ({ card }: { card: Pick<GiftCardState, "status"> }) => {
  const { t } = useTranslation();
  return <span className={`pill card-${card.status}`}>{t(`giftCards.statuses.${card.status}`)}</span>;
};

/** What is on the card, and until when. */
export const CardFacts = ({ card }: { card: GiftCardState }) => {
  const { t } = useTranslation();
  return (
    <span className="card-facts">
      <b className="figures">{formatMoney(card.balance_minor, card.currency)}</b>
      <CardStatus card={card} />
      <span className="hint">
        {card.expires_on === null ? t("giftCards.noEnd") : t("giftCards.until", { date: formatDay(card.expires_on) })}
      </span>
    </span>
  );
};
