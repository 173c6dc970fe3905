/** One guest: figures, note, consent with its history, gift cards, orders and bookings, and what a guest may ask for. */
import "#guests/guests.css";
import type { ErasureReceipt, GuestProfile } from "@comanda/contract/console/guests.ts";
import { Button, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { guestQuery } from "#guests/guest-queries.ts";
import { enGuests } from "#guests/texts.en.ts";
import { UndoIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import type { UndoableChange } from "./change-guest.tsx";
import { ErasureReceiptView } from "./erasure-receipt.tsx";
import { GuestActions } from "./guest-actions.tsx";
import { GuestCards } from "./guest-cards.tsx";
import { GuestConsent } from "./guest-consent.tsx";
import { GuestFigures } from "./guest-figures.tsx";
import { GuestNote } from "./guest-note.tsx";
import { GuestTimeline } from "./guest-timeline.tsx";

addEnglishTexts(enGuests);

export const GuestProfilePage = () => {
  const { guest } = useParams({ from: "/inside/v/$venue/guests/$guest" });
  return <ProfileOf key={guest} id={/^[1-9][0-9]{0,15}$/.test(guest) ? Number(guest) : 0} />;
};

const ProfileOf = ({ id }: { id: number }) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [erased, setErased] = useState<{ receipt: ErasureReceipt; zone: string } | null>(null);
  const profile = useQuery({ ...guestQuery(venue, id), enabled: erased === null });
  if (erased) return <ErasureReceiptView {...erased} />;
  const { data } = profile;
  if (data) return <WholeProfile guest={data} onErased={(receipt) => setErased({ receipt, zone: data.zone })} />;
  return (
    <Page title={t("guests.title")} name={t("guests.title")} back={<BackToGuests />} isNarrow>
      {profile.error ? (
        <ErrorAlert error={profile.error} onRetry={() => void profile.refetch()} />
      ) : (
        <Skeleton height={420} radius="lg" role="status" aria-label={t("common.loading")} />
      )}
    </Page>
  );
};

const WholeProfile = ({ guest, onErased }: { guest: GuestProfile; onErased: (receipt: ErasureReceipt) => void }) => {
  const [change, setChange] = useState<UndoableChange | null>(null);
  return (
    <Page title={<bdi>{guest.name}</bdi>} name={guest.name} back={<BackToGuests />} isNarrow>
      <Stack gap="lg">
        <GuestActions guest={guest} onErased={onErased} onChanged={setChange} />
        <LastChange change={change} onUndone={() => setChange(null)} />
        <GuestFigures guest={guest} />
        <GuestNote guest={guest} onChanged={setChange} />
        <GuestConsent guest={guest} />
        <GuestCards id={guest.id} />
        <GuestTimeline guest={guest} />
      </Stack>
    </Page>
  );
};

const LastChange = ({ change, onUndone }: { change: UndoableChange | null; onUndone: () => void }) => {
  const { t } = useTranslation();
  return (
    <section className={change ? "guest-undo" : "guest-quiet"} aria-label={t("guests.undoLabel")} aria-live="polite">
      {change && (
        <>
          <span>{change.message}</span>
          <Button
            variant="default"
            leftSection={<UndoIcon size={16} />}
            onClick={() => {
              change.undo();
              onUndone();
            }}
          >
            {t("guests.undo")}
          </Button>
        </>
      )}
    </section>
  );
};

const BackToGuests = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  return (
    <Link to="/v/$venue/guests" params={{ venue }} search={{}} className="back-link">
      {t("guests.back")}
    </Link>
  );
};
