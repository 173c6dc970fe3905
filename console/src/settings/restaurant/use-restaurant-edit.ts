/** The restaurant and its branches while they are changed. Until then they follow what the server has. One save stores both. */
import type { RestaurantDetails, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { fieldErrors } from "#kit/error-text.ts";
import { useToast } from "#kit/toast.ts";
import { useSaveBranches, useSaveRestaurant } from "../venue-settings/save-branches.ts";
import { type BranchCard, cardsOf, hasName, isSameCards, keptCards, mergeCards } from "./branches-draft.ts";

type DetailsEdit = { version: string; begun: RestaurantDetails; details: RestaurantDetails };
type CardsEdit = { begun: BranchCard[]; cards: BranchCard[] };

/** Only spaces are no address and no number. */
const cleaned = ({ email, phone, ...details }: RestaurantDetails): RestaurantDetails => ({
  ...details,
  email: email?.trim() ? email.trim() : null,
  phone: phone?.trim() ? phone.trim() : null,
});

const useDetails = ({ version, value }: VenueSettingParts["restaurant"]) => {
  const [edit, setEdit] = useState<DetailsEdit | null>(null);
  const { begun, details, ...seen } = edit ?? { version, begun: value, details: value };
  const change = (part: Partial<RestaurantDetails>): void => {
    const next = { ...details, ...part };
    setEdit(JSON.stringify(cleaned(next)) === JSON.stringify(begun) ? null : { version: seen.version, begun, details: next });
  };
  return { details, version: seen.version, isChanged: edit !== null, change, drop: (): void => setEdit(null) };
};

const useCards = ({ value }: VenueSettingParts["branches"]) => {
  const [edit, setEdit] = useState<CardsEdit | null>(null);
  const { begun, cards } = edit ?? { begun: cardsOf(value), cards: cardsOf(value) };
  return {
    begun,
    cards,
    isChanged: edit !== null,
    change: (next: BranchCard[]): void => setEdit(isSameCards(next, begun) ? null : { begun, cards: next }),
    drop: (): void => setEdit(null),
  };
};

/** By the path of the field: `restaurant.email`, `branches.0.address` in the order that was saved, `removed.annex`. */
export type PlaceErrors = Readonly<Record<string, string>>;

export const useRestaurantEdit = (venue: string, settings: VenueSettingParts) => {
  const { t } = useTranslation();
  const toast = useToast();
  const details = useDetails(settings.restaurant);
  const cards = useCards(settings.branches);
  const finish = (): void => toast.done(t("restaurantPage.saved"));
  const branchesSaving = useSaveBranches(venue, () => {
    cards.drop();
    finish();
  });
  const saveCards = (): void => branchesSaving.save(settings.branches, mergeCards(cards.cards, cards.begun));
  const restaurantSaving = useSaveRestaurant(venue, () => {
    details.drop();
    if (cards.isChanged) saveCards();
    else finish();
  });
  const error = restaurantSaving.error ?? branchesSaving.error;
  return {
    details,
    cards,
    error,
    errors: fieldErrors(error) satisfies PlaceErrors,
    lostTo: restaurantSaving.lostTo ?? branchesSaving.lostTo,
    isChanged: details.isChanged || cards.isChanged,
    isPending: restaurantSaving.isPending || branchesSaving.isPending,
    isBlocked: !hasName(details.details) || !keptCards(cards.cards).every(hasName),
    save: (): void => {
      if (details.isChanged) restaurantSaving.save(details.version, cleaned(details.details));
      else saveCards();
    },
    discard: (): void => {
      details.drop();
      cards.drop();
      restaurantSaving.dropErrors();
      branchesSaving.dropErrors();
    },
  };
};
