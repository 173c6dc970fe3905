/** One card: what is on it, what happened to it, and what a manager can do. */
import "#guests/guests.css";
import "./gift-cards.css";
import type { GiftCardLedger } from "@comanda/contract/console/gift-cards.ts";
import { Skeleton, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { Trans, useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { formatMoney } from "#kit/number-format.ts";
import { formatDayAndClock } from "#kit/venue-time.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { CardActions } from "./card-actions.tsx";
import { CardEnd, CardFacts } from "./card-texts.tsx";
import { cardQuery } from "./gift-card-queries.ts";
import { enGiftCards } from "./texts.en.ts";

addEnglishTexts(enGiftCards);

export const GiftCardPage = () => {
  const { t } = useTranslation();
  const { card } = useParams({ from: "/inside/v/$venue/gift-cards/$card" });
  const found = useQuery(cardQuery(useVenue(), /^[1-9][0-9]{0,15}$/.test(card) ? Number(card) : 0));
  if (found.data) return <WholeCard ledger={found.data} />;
  return (
    <Page title={t("giftCards.title")} name={t("giftCards.title")} back={<BackToCards />} isNarrow>
      {found.error ? (
        <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />
      ) : (
        <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />
      )}
    </Page>
  );
};

const WholeCard = ({ ledger }: { ledger: GiftCardLedger }) => {
  const { t } = useTranslation();
  const { card, guest, message } = ledger;
  const name = t("giftCards.card", { last4: card.code_last4 });
  return (
    <Page title={name} name={name} back={<BackToCards />} isNarrow>
      <Stack gap="lg">
        <section className="sheet card-sheet" aria-label={name}>
          <div className="card-checked">
            <CardEnd last4={card.code_last4} /> <CardFacts card={card} />
          </div>
          <Text size="sm" c="dimmed">
            <Trans
              t={t}
              i18nKey={card.source === "sale" ? "giftCards.soldBy" : "giftCards.givenBy"}
              values={{
                amount: formatMoney(card.initial_minor, card.currency),
                name: card.issued_by,
                when: formatDayAndClock(card.issued_at, ledger.zone),
              }}
              components={{ bdi: <bdi /> }}
            />
          </Text>
          {guest && <CardGuest guest={guest} />}
          {message !== null && (
            <Text dir="auto" className="card-message">
              {message}
            </Text>
          )}
        </section>
        <CardActions ledger={ledger} />
        <Entries ledger={ledger} />
        <Steps ledger={ledger} />
      </Stack>
    </Page>
  );
};

const CardGuest = ({ guest }: { guest: NonNullable<GiftCardLedger["guest"]> }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Text>
      {t("giftCards.guest")}:{" "}
      <Link to="/v/$venue/guests/$guest" params={{ venue, guest: String(guest.id) }} className="card-link">
        <bdi>{guest.name}</bdi>
      </Link>
    </Text>
  );
};

const Entries = ({ ledger }: { ledger: GiftCardLedger }) => {
  const { t } = useTranslation();
  const { card, entries, zone, is_cut: isCut } = ledger;
  return (
    <div className="sheet card-sheet">
      <Title order={2} id="card-entries">
        {t("giftCards.ledger")}
      </Title>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard. */}
      <section className="card-scroll" tabIndex={0} aria-labelledby="card-entries">
        <table className="card-table">
          <thead>
            <tr>
              <th scope="col">{t("giftCards.what")}</th>
              <th scope="col" className="amount-cell">
                {t("giftCards.change")}
              </th>
              <th scope="col" className="amount-cell">
                {t("giftCards.balance")}
              </th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <tr key={entry.id}>
                <td>
                  {t(`giftCards.kinds.${entry.kind}`)}
                  {entry.order_number !== null && (
                    <>
                      {" "}
                      <bdi dir="ltr">#{entry.order_number}</bdi>
                    </>
                  )}
                  <Text size="sm" c="dimmed" className="figures">
                    {formatDayAndClock(entry.recorded_at, zone)} · <bdi>{entry.recorded_by}</bdi>
                  </Text>
                </td>
                <td className="amount-cell figures">{formatMoney(entry.amount_minor, card.currency)}</td>
                <td className="amount-cell figures">{formatMoney(entry.balance_minor, card.currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <Text size="sm" c="dimmed">
        {isCut && t("giftCards.cut")} {t("giftCards.clock", { zone: zone.replaceAll("_", " ") })}
      </Text>
    </div>
  );
};

const SHOWN_STEPS = {
  "gift_card.frozen": "frozen",
  "gift_card.unfrozen": "unfrozen",
  "gift_card.adjusted": "adjusted",
  "gift_card.code_replaced": "code_replaced",
} as const;
const isShown = (action: string): action is keyof typeof SHOWN_STEPS => action in SHOWN_STEPS;

/** What the ledger does not say: who froze the card, and the reasons. */
const Steps = ({ ledger: { steps, zone } }: { ledger: GiftCardLedger }) => {
  const { t } = useTranslation();
  const shown = steps.flatMap((step) => (isShown(step.action) ? [{ ...step, name: SHOWN_STEPS[step.action] }] : []));
  if (shown.length === 0) return null;
  return (
    <section className="sheet card-sheet" aria-labelledby="card-steps">
      <Title order={2} id="card-steps">
        {t("giftCards.steps")}
      </Title>
      <ol className="guest-timeline">
        {shown.map((step) => (
          <li key={step.id}>
            <time dateTime={step.at} className="figures guest-when">
              {formatDayAndClock(step.at, zone)}
            </time>
            <span>
              {t(`giftCards.stepNames.${step.name}`)} · <bdi>{step.actor_name}</bdi>
              {step.reason !== null && (
                <>
                  {" "}
                  · <bdi>{step.reason}</bdi>
                </>
              )}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
};

const BackToCards = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Link to="/v/$venue/gift-cards" params={{ venue }} className="back-link">
      {t("giftCards.back")}
    </Link>
  );
};
