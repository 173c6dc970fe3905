/** Tickets that were released, expired, refunded or cancelled, folded. Expired ones can be held again. */
import { ticketsEndOf } from "@comanda/contract/console/experience-limits.ts";
import type { SessionBooking, SessionSheet } from "@comanda/contract/console/experiences.ts";
import { useTranslation } from "react-i18next";
import { HoldAgain } from "./hold-again.tsx";

export const EndedTickets = ({ sheet }: { sheet: SessionSheet }) => {
  const { t } = useTranslation();
  return (
    <details className="sheet experience-card">
      <summary className="experience-summary">{t("experiences.ended")}</summary>
      <ul className="experience-rows" aria-label={t("experiences.ended")}>
        {sheet.ended.map((booking) => (
          <EndedRow key={booking.id} booking={booking} isOpen={sheet.closed_because === null} />
        ))}
      </ul>
    </details>
  );
};

const EndedRow = ({ booking, isOpen }: { booking: SessionBooking; isOpen: boolean }) => {
  const { t } = useTranslation();
  return (
    <li className="experience-row">
      <div className="experience-who">
        <bdi className="experience-name">{booking.name}</bdi>
        <span className="figures">
          {t("experiences.ticketCount", { count: booking.tickets })} · {t(`experiences.ends.${ticketsEndOf(booking)}`)}
        </span>
      </div>
      {booking.state === "expired" && isOpen && <HoldAgain booking={booking} />}
    </li>
  );
};
