/** Restaurant and branches: names, contact, clock and language, and where the restaurant is. */
import "./restaurant.css";
import type { VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { addEnglishTexts } from "#kit/language.ts";
import { ChangedMeanwhile, SaveBar } from "#kit/unsaved.tsx";
import { Page } from "#shell/page.tsx";
import { ErrorAlert } from "#shell/page-states.tsx";
import { RoleGuard } from "#shell/role-guard.tsx";
import { useVenue } from "#shell/venue.ts";
import { enHours } from "../hours/texts.en.ts";
import { venueSettingsQuery } from "../venue-settings/venue-settings-query.ts";
import { BranchCards } from "./branch-cards.tsx";
import { languagesOfNames } from "./branches-draft.ts";
import { RestaurantForm } from "./restaurant-form.tsx";
import { useRestaurantEdit } from "./use-restaurant-edit.ts";

addEnglishTexts(enHours);

export const RestaurantPage = () => {
  const { t } = useTranslation();
  return (
    <RoleGuard title={t("restaurantPage.title")} lead="venues.settingsOnly">
      <RestaurantOfVenue />
    </RoleGuard>
  );
};

const RestaurantOfVenue = () => {
  const { t } = useTranslation();
  const venue = useVenue();
  const settings = useQuery(venueSettingsQuery(venue));
  return (
    <Page title={t("restaurantPage.title")} name={t("restaurantPage.title")} lead={t("restaurantPage.lead")} isNarrow>
      {settings.isPending && <Skeleton height={480} radius="lg" role="status" aria-label={t("common.loading")} />}
      {settings.error && !settings.data && <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && <RestaurantEditor key={venue} venue={venue} settings={settings.data} />}
    </Page>
  );
};

const RestaurantEditor = ({ venue, settings }: { venue: string; settings: VenueSettingParts }) => {
  const [added, setAdded] = useState<string[]>([]);
  const edit = useRestaurantEdit(venue, settings);
  const { details, cards } = edit;
  const names = [details.value, ...cards.value].map(({ name }) => name);
  const languages = languagesOfNames(settings.restaurant.value.default_language, names, added);
  return (
    <>
      {edit.lostTo && <ChangedMeanwhile who={edit.lostTo.who} onShow={edit.discard} />}
      {edit.error && <ErrorAlert error={edit.error} />}
      <div className="place-editor" inert={edit.isPending}>
        <RestaurantForm
          part={settings.restaurant}
          details={details.value}
          languages={languages}
          errors={edit.errors}
          onChange={(part) => details.change({ ...details.value, ...part })}
          onAddLanguage={(language) => setAdded([...added, language])}
        />
        <BranchCards
          venue={venue}
          cards={cards.value}
          begun={cards.begun}
          languages={languages}
          errors={edit.errors}
          onChange={cards.change}
        />
      </div>
      <SaveBar
        isChanged={edit.isChanged}
        isPending={edit.isPending}
        isBlocked={edit.isBlocked}
        onSave={edit.save}
        onDiscard={edit.discard}
      />
    </>
  );
};
