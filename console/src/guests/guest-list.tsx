/** Guests that were found, each a link or a choice. */
import type { FoundGuest } from "@comanda/contract/console/guests.ts";
import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { CheckIcon } from "#kit/icons.tsx";
import { RelativeTime } from "#kit/relative-time.tsx";

/** The row around a guest: a link to the profile, or a button that chooses it. */
type GuestListProps = { guests: readonly FoundGuest[]; label: string; wrap: (guest: FoundGuest, children: ReactNode) => ReactNode };

export const GuestList = ({ guests, label, wrap }: GuestListProps) => (
  <ul className="sheet guest-rows" aria-label={label}>
    {guests.map((guest) => (
      <li key={guest.id}>{wrap(guest, <GuestRowText guest={guest} />)}</li>
    ))}
  </ul>
);

const GuestRowText = ({ guest }: { guest: FoundGuest }) => {
  const { t } = useTranslation();
  const { name, phone, email, visits_count: count, last_visit_at: lastVisit, marketing_opted_in: isGiven } = guest;
  return (
    <>
      <span className="guest-row-main">
        <bdi className="guest-row-name">{name}</bdi>
        <ContactText phone={phone} email={email} />
      </span>
      <span className="guest-row-side">
        <span>{t("guests.visitsOf", { count })}</span>
        {lastVisit !== null && (
          <Text span size="sm" c="dimmed">
            <RelativeTime at={lastVisit} />
          </Text>
        )}
        {isGiven && (
          <span className="pill guest-agreed">
            <CheckIcon size={14} /> {t("guests.consent")}
          </span>
        )}
      </span>
    </>
  );
};

export const ContactText = ({ phone, email }: Pick<FoundGuest, "phone" | "email">) => {
  const { t } = useTranslation();
  const parts = [phone, email].filter((part) => part !== null);
  if (parts.length === 0)
    return (
      <Text span size="sm" c="dimmed">
        {t("guests.noContact")}
      </Text>
    );
  return (
    <Text span size="sm" c="dimmed" className="guest-contact">
      {parts.map((part) => (
        <bdi key={part} dir="ltr">
          {part}
        </bdi>
      ))}
    </Text>
  );
};
