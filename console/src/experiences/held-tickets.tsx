/** Tickets that are held: how long still, and the payment by method. Where the hold has run out they can be held again. */
import { COUNTER_TICKET_METHODS, type TicketMethod } from "@comanda/contract/console/experience-limits.ts";
import type { SessionBooking, SessionSheet } from "@comanda/contract/console/experiences.ts";
import { Button, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useOfClock } from "#kit/clock.ts";
import { formatMoney } from "#kit/number-format.ts";
import { useToast } from "#kit/toast.ts";
import { useWrite } from "#kit/write.ts";
import { useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";
import { GiftCardDialog } from "./gift-card-dialog.tsx";
import { HoldAgain } from "./hold-again.tsx";
import { formatSeconds, secondsLeft } from "./session-figures.ts";

type HeldTicketsProps = { sheet: SessionSheet; held: readonly SessionBooking[] };

export const HeldTickets = ({ sheet, held }: HeldTicketsProps) => {
  const { t } = useTranslation();
  return (
    <section className="sheet experience-card" aria-labelledby="experience-holds">
      <Title order={2} id="experience-holds">
        {t("experiences.holds")}
      </Title>
      <ul className="experience-rows" aria-labelledby="experience-holds">
        {held.map((booking) => (
          <HeldRow key={booking.id} booking={booking} currency={sheet.currency} />
        ))}
      </ul>
    </section>
  );
};

const HeldRow = ({ booking, currency }: { booking: SessionBooking; currency: string }) => {
  const { t } = useTranslation();
  const seconds = useOfClock((now) => secondsLeft(booking.hold_ends_at, now));
  const amount = formatMoney(booking.amount_minor, currency);
  return (
    <li className="experience-row experience-held">
      <div className="experience-who">
        <bdi className="experience-name">{booking.name}</bdi>
        <span className="figures">
          {t("experiences.ticketCount", { count: booking.tickets })} · {amount}
        </span>
        <span role="timer" className={seconds === 0 ? "experience-mark" : "figures"}>
          {seconds === 0 ? t("experiences.runOut") : t("experiences.heldFor", { left: formatSeconds(seconds) })}
        </span>
      </div>
      {seconds === 0 ? <HoldAgain booking={booking} /> : <PayButtons booking={booking} currency={currency} />}
    </li>
  );
};

const usePay = (venue: string) => {
  const { t } = useTranslation();
  const toast = useToast();
  const pay = useWrite<"payTickets">({ readAgain: experienceKeys(venue), onDone: () => toast.done(t("experiences.paid")) });
  const release = useWrite<"releaseTickets">({ readAgain: experienceKeys(venue), onDone: () => toast.done(t("experiences.released")) });
  return { pay, release };
};

const PayButtons = ({ booking, currency }: { booking: SessionBooking; currency: string }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { pay, release } = usePay(venue);
  const [isByCard, setByCard] = useState(false);
  const { name, version: seen_version } = booking;
  const params = { venue, id: booking.id };
  const amount = formatMoney(booking.amount_minor, currency);
  const isPending = pay.isPending || release.isPending;
  const labelOf = (method: TicketMethod): string => t("experiences.methodOf", { method: t(`experiences.methods.${method}`), amount, name });
  return (
    <div className="experience-methods">
      {COUNTER_TICKET_METHODS.map((method) => (
        <Button
          key={method}
          className="experience-target"
          variant={method === "other" ? "default" : "filled"}
          aria-label={labelOf(method)}
          disabled={isPending}
          loading={pay.isPending && pay.wanted?.body.method === method}
          onClick={() => pay.write({ id: "payTickets", params, body: { seen_version, method } })}
        >
          {t(`experiences.methods.${method}`)}
        </Button>
      ))}
      <Button
        className="experience-target"
        variant="default"
        aria-label={labelOf("gift_card")}
        disabled={isPending}
        onClick={() => setByCard(true)}
      >
        {t("experiences.methods.gift_card")}
      </Button>
      <Button
        className="experience-target"
        variant="default"
        aria-label={t("experiences.releaseOf", { name })}
        disabled={isPending}
        loading={release.isPending}
        onClick={() => release.write({ id: "releaseTickets", params, body: { seen_version } })}
      >
        {t("experiences.release")}
      </Button>
      {isByCard && <GiftCardDialog booking={booking} amount={amount} onClose={() => setByCard(false)} />}
    </div>
  );
};
