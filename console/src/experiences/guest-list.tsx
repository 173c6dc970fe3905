/** The guest list: who has tickets, and who is here. A tap marks the whole party, and the same place takes it back. */
import type { SessionBooking, SessionSheet } from "@comanda/contract/console/experiences.ts";
import { Button, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { MinusIcon, PlusIcon, SearchIcon } from "#kit/icons.tsx";
import { useWrite } from "#kit/write.ts";
import { useRole, useVenue } from "#shell/venue.ts";
import { experienceKeys } from "./experience-queries.ts";
import { RefundDialog } from "./refund-dialog.tsx";
import { findGuests } from "./session-figures.ts";

type SessionGuestsProps = { sheet: SessionSheet; paid: readonly SessionBooking[] };

export const GuestList = ({ sheet, paid }: SessionGuestsProps) => {
  const { t } = useTranslation();
  const [written, setWritten] = useState("");
  const [refunded, setRefunded] = useState<SessionBooking | null>(null);
  const shown = findGuests(paid, written);
  return (
    <section className="sheet experience-card" aria-labelledby="experience-guests">
      <div className="experience-head">
        <Title order={2} id="experience-guests">
          {t("experiences.guests")}
        </Title>
        <span role="status" className="figures">
          {t("experiences.here", { count: paid.reduce((sum, { arrived }) => sum + arrived, 0) })}
        </span>
      </div>
      {paid.length === 0 ? (
        <Text c="dimmed">{t("experiences.noGuests")}</Text>
      ) : (
        <TextInput
          type="search"
          label={t("experiences.search")}
          size="md"
          leftSection={<SearchIcon size={18} />}
          maxLength={80}
          autoComplete="off"
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
        />
      )}
      {paid.length > 0 && shown.length === 0 && (
        <Text role="status" c="dimmed">
          {t("experiences.noneFound")}
        </Text>
      )}
      {shown.length > 0 && (
        <ul className="experience-rows" aria-labelledby="experience-guests">
          {shown.map((booking) => (
            <GuestRow key={booking.id} booking={booking} onRefund={() => setRefunded(booking)} />
          ))}
        </ul>
      )}
      {refunded && <RefundDialog booking={refunded} currency={sheet.currency} onClose={() => setRefunded(null)} />}
    </section>
  );
};

const GuestRow = ({ booking, onRefund }: { booking: SessionBooking; onRefund: () => void }) => {
  const { t } = useTranslation();
  const isManager = useRole() !== "staff";
  const { name, phone, tickets, arrived } = booking;
  const isFree = booking.method === null;
  return (
    <li className={arrived === tickets ? "experience-row experience-here" : "experience-row"}>
      <div className="experience-who">
        <span className="experience-name">
          <bdi>{name}</bdi>
        </span>
        <span className="figures">
          {t("experiences.ticketCount", { count: tickets })} · {t("experiences.arrivedCount", { arrived, tickets })}
        </span>
        {phone !== null && (
          <bdi dir="ltr" className="hint">
            {phone}
          </bdi>
        )}
        <span className="hint">{t("experiences.soldBy", { who: booking.sold_by })}</span>
      </div>
      <div className="experience-arrivals">
        <Arrivals booking={booking} />
        {isManager && (
          <Button
            className="experience-target"
            variant="default"
            aria-label={t(isFree ? "experiences.cancelTicketsOf" : "experiences.refundOf", { name })}
            onClick={onRefund}
          >
            {t(isFree ? "experiences.cancelTickets" : "experiences.refund")}
          </Button>
        )}
      </div>
    </li>
  );
};

const Arrivals = ({ booking }: { booking: SessionBooking }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { id, name, tickets, arrived, version: seen_version } = booking;
  const { write, isPending } = useWrite<"setArrivedGuests">({ readAgain: experienceKeys(venue) });
  const set = (count: number): void => write({ id: "setArrivedGuests", params: { venue, id }, body: { seen_version, arrived: count } });
  const isHere = arrived === tickets;
  return (
    <>
      {tickets > 1 && (
        <>
          <Button
            className="experience-target experience-step"
            variant="default"
            aria-label={t("experiences.oneLessOf", { name })}
            disabled={isPending || arrived === 0}
            onClick={() => set(arrived - 1)}
          >
            <MinusIcon />
          </Button>
          <Button
            className="experience-target experience-step"
            variant="default"
            aria-label={t("experiences.oneMoreOf", { name })}
            disabled={isPending || isHere}
            onClick={() => set(arrived + 1)}
          >
            <PlusIcon />
          </Button>
        </>
      )}
      <Button
        className="experience-target"
        variant={isHere ? "default" : "filled"}
        aria-label={t(isHere ? "experiences.undoOf" : "experiences.arrivedOf", { name })}
        loading={isPending}
        onClick={() => set(isHere ? 0 : tickets)}
      >
        {t(isHere ? "experiences.undo" : "experiences.arrived")}
      </Button>
    </>
  );
};
