/** The guest a card is for, found by digits or name. None is needed. */
import type { FoundGuest } from "@comanda/contract/console/guests.ts";
import { Button, Text, TextInput, VisuallyHidden } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { GuestList } from "#guests/guest-list.tsx";
import { guestsQuery } from "#guests/guest-queries.ts";
import { useVenue } from "#shell/venue.ts";

const FOUND_MAX = 5;
const PAUSE_MS = 250;

type ChooseGuestProps = { guest: FoundGuest | null; onChoose: (guest: FoundGuest | null) => void };

export const ChooseGuest = ({ guest, onChoose }: ChooseGuestProps) => {
  const { t } = useTranslation();
  const venue = useVenue();
  const [written, setWritten] = useState("");
  const [search] = useDebouncedValue(written.trim(), PAUSE_MS);
  const found = useQuery({ ...guestsQuery(venue, search), enabled: search !== "" });
  const guests = search === "" ? [] : (found.data?.guests ?? []).slice(0, FOUND_MAX);
  if (guest)
    return (
      <div className="card-guest">
        <span>
          <Text size="sm" c="dimmed">
            {t("giftCards.guest")}
          </Text>
          <bdi>{guest.name}</bdi>
        </span>
        <Button variant="default" onClick={() => onChoose(null)}>
          {t("giftCards.guestRemove")}
        </Button>
      </div>
    );
  return (
    <div className="card-found">
      <TextInput
        type="search"
        size="md"
        label={t("giftCards.guestSearch")}
        maxLength={80}
        autoComplete="off"
        spellCheck={false}
        value={written}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
      <Text role="status" size="sm" c="dimmed">
        {search !== "" && found.data && guests.length === 0 ? t("guests.none", { text: search }) : ""}
      </Text>
      {guests.length > 0 && (
        <GuestList
          guests={guests}
          label={t("giftCards.guest")}
          wrap={(one, children) => (
            <button
              type="button"
              className="guest-row"
              onClick={() => {
                setWritten("");
                onChoose(one);
              }}
            >
              <VisuallyHidden>{t("giftCards.guestChoose", { name: one.name })}</VisuallyHidden>
              <span className="guest-row-shown" aria-hidden="true">
                {children}
              </span>
            </button>
          )}
        />
      )}
    </div>
  );
};
