/** The restaurant and its branches while they are changed. Until then they follow what the server has. One save stores both. */
import type { RestaurantDetails, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import { useTranslation } from "react-i18next";
import { useDraft } from "#kit/draft.ts";
import { fieldErrors } from "#kit/error-text.ts";
import { useToast } from "#kit/toast.ts";
import { useSaveBranches, useSaveRestaurant } from "../venue-settings/save-branches.ts";
import { type BranchCard, cardsOf, hasName, isSameCards, keptCards, mergeCards } from "./branches-draft.ts";

/** Only spaces are no address and no number. */
const cleaned = ({ email, phone, ...details }: RestaurantDetails): RestaurantDetails => ({
  ...details,
  email: email?.trim() ? email.trim() : null,
  phone: phone?.trim() ? phone.trim() : null,
});

const isSameDetails = (next: RestaurantDetails, begun: RestaurantDetails): boolean =>
  JSON.stringify(cleaned(next)) === JSON.stringify(begun);

/** The key is the path of the field: `restaurant.email`, `branches.0.address` in the order that was saved, `removed.annex`. */
export type PlaceErrors = Readonly<Record<string, string>>;

export const useRestaurantEdit = (venue: string, settings: VenueSettingParts) => {
  const { t } = useTranslation();
  const toast = useToast();
  const details = useDraft(settings.restaurant, isSameDetails);
  const cards = useDraft<BranchCard[]>({ version: settings.branches.version, value: cardsOf(settings.branches.value) }, isSameCards);
  const finish = (): void => toast.done(t("restaurantPage.saved"));
  const branchesSaving = useSaveBranches(venue, () => {
    cards.drop();
    finish();
  });
  const saveCards = (): void => branchesSaving.save(settings.branches, mergeCards(cards.value, cards.begun));
  const restaurantSaving = useSaveRestaurant(venue, details.drop, () => {
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
    isBlocked: !hasName(details.value) || !keptCards(cards.value).every(hasName),
    save: (): void => {
      if (details.isChanged) restaurantSaving.save(details.version, cleaned(details.value));
      else saveCards();
    },
    discard: (): void => {
      cards.drop();
      restaurantSaving.discard();
      branchesSaving.dropErrors();
    },
  };
};
