/** Contact details and figures of a guest. */
import type { GuestProfile } from "@comanda/contract/console/guests.ts";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ContactText } from "#guests/guest-list.tsx";
import { formatCount, formatMoney } from "#kit/number-format.ts";
import { RelativeTime } from "#kit/relative-time.tsx";

export const GuestFigures = ({ guest }: { guest: GuestProfile }) => {
  const { t } = useTranslation();
  return (
    <section className="sheet guest-card" aria-label={t("guests.title")}>
      <dl className="guest-figures">
        <GuestFigure name={t("guests.visits")}>{formatCount(guest.visits_count)}</GuestFigure>
        <GuestFigure name={t("guests.spend")}>{formatMoney(guest.total_spend_minor, guest.currency)}</GuestFigure>
        <GuestFigure name={t("guests.lastVisit")}>
          <RelativeTime at={guest.last_visit_at} />
        </GuestFigure>
        <GuestFigure name={t("guests.since")}>
          <RelativeTime at={guest.created_at} />
        </GuestFigure>
      </dl>
      <dl className="guest-facts">
        <GuestFigure name={t("guests.phone")}>{guest.phone === null ? "–" : <bdi dir="ltr">{guest.phone}</bdi>}</GuestFigure>
        <GuestFigure name={t("guests.email")}>{guest.email === null ? "–" : <bdi dir="ltr">{guest.email}</bdi>}</GuestFigure>
        <GuestFigure name={t("guests.locale")}>{guest.locale ?? "–"}</GuestFigure>
        {guest.other_contacts.length > 0 && (
          <GuestFigure name={t("guests.otherContacts")}>
            {guest.other_contacts.map((contact) => (
              <span key={contact.id} className="guest-other">
                <bdi>{contact.name}</bdi> <ContactText phone={contact.phone} email={contact.email} />
              </span>
            ))}
          </GuestFigure>
        )}
      </dl>
    </section>
  );
};

const GuestFigure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
