/** Guests: search by digits or name, those who came last first. */
import "./guests.css";
import { Skeleton, Text } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "#kit/empty-state.tsx";
import { PersonIcon } from "#kit/icons.tsx";
import { addEnglishTexts } from "#kit/language.ts";
import { ListSearch } from "#kit/list-search.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { useVenue } from "#shell/venue.ts";
import { GuestList } from "./guest-list.tsx";
import { guestsQuery } from "./guest-queries.ts";
import { enGuests } from "./texts.en.ts";

addEnglishTexts(enGuests);

const PAUSE_MS = 250;

export const GuestsPage = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const { search = "" } = useSearch({ from: "/inside/v/$venue/guests" });
  const found = useQuery(guestsQuery(venue, search));
  return (
    <Page title={t("guests.title")} name={t("guests.title")} lead={t("guests.lead")} isNarrow>
      <GuestSearchField key={venue} search={search} />
      {found.error && <ErrorAlert error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Skeleton height={320} radius="lg" role="status" aria-label={t("common.loading")} />}
      {found.data && <FoundGuests search={search} found={found.data} />}
    </Page>
  );
};

const GuestSearchField = ({ search }: { search: string }) => {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: "/v/$venue/guests" });
  const [written, setWritten] = useState(search);
  const change = useDebouncedCallback(
    (text: string) => void navigate({ search: text.trim() === "" ? {} : { search: text.trim() }, replace: true }),
    PAUSE_MS,
  );
  return (
    <ListSearch
      label={t("guests.search")}
      value={written}
      onChange={(text) => {
        setWritten(text);
        change(text);
      }}
    />
  );
};

type FoundGuestsProps = { search: string; found: { guests: Parameters<typeof GuestList>[0]["guests"]; is_cut: boolean } };

const FoundGuests = ({ search, found: { guests, is_cut } }: FoundGuestsProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  if (guests.length === 0 && search === "")
    return (
      <EmptyState icon={<PersonIcon size={28} />} title={t("guests.emptyTitle")}>
        <Text c="dimmed">{t("guests.emptyLead")}</Text>
      </EmptyState>
    );
  const said = search === "" ? t("guests.recent") : t("guests.found", { count: guests.length });
  return (
    <div className="guest-found">
      <Text role="status" c="dimmed" size="sm">
        {guests.length === 0 ? t("guests.none", { text: search }) : `${said} ${is_cut && search !== "" ? t("guests.cut") : ""}`}
      </Text>
      {guests.length > 0 && (
        <GuestList
          guests={guests}
          label={t("guests.title")}
          wrap={(guest, children) => (
            <Link to="/v/$venue/guests/$guest" params={{ venue, guest: String(guest.id) }} className="guest-row">
              {children}
            </Link>
          )}
        />
      )}
    </div>
  );
};
