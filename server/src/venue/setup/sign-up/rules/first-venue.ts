/** The venue file of a new venue, from the few things that its owner has said. */
import type { FirstHours, FirstVenue } from "@comanda/contract/console/sign-up.ts";
import { WEEKDAYS } from "@comanda/contract/venue-file/opening-hours.ts";
import { VENUE_FILE_FORMAT } from "@comanda/contract/venue-file/venue-file.ts";
import type { FieldErrors } from "#lib/errors.ts";

export type VenueOwner = { email: string; name: string; locale: string | null };

export const currencyErrors = ({ currency }: FirstVenue): FieldErrors =>
  Intl.supportedValuesOf("currency").includes(currency) ? {} : { "venue.currency": ["Is not a known currency."] };

const openDays = ({ from, to, closed }: FirstHours) => [{ days: WEEKDAYS.filter((day) => !closed.includes(day)), from, to }];

/** Delivery is left out: without zones it would be offered everywhere. */
const FIRST_TYPES = [{ type: "dine_in" }, { type: "pickup" }];

export const firstVenueFile = (first: FirstVenue, { slug, plan, owner }: { slug: string; plan: string; owner: VenueOwner }): unknown => ({
  format: VENUE_FILE_FORMAT,
  restaurant: {
    slug,
    name: { [first.language]: first.name },
    currency: first.currency,
    zone: first.zone,
    default_language: first.language,
    plan,
  },
  branches: [
    { key: "main", name: { [first.language]: first.name }, is_default: true, hours: first.hours === null ? null : openDays(first.hours) },
  ],
  menus: [
    {
      key: "menu",
      name: { [first.language]: MENU_NAME[first.language] ?? "Menu" },
      categories: first.menu.map(({ name, dishes }, c) => ({
        key: `category-${c + 1}`,
        name,
        items: dishes.map((dish, d) => ({ key: `dish-${c + 1}-${d + 1}`, name: dish.name, price_minor: dish.price_minor })),
      })),
    },
  ],
  ordering: { types: FIRST_TYPES },
  staff: [{ ...owner, role: "owner" }],
});

const MENU_NAME: Record<string, string> = { en: "Menu", it: "Menù", ar: "القائمة" };

const TEST_NAME: Record<string, string> = { en: "Test order", it: "Ordine di prova", ar: "طلب تجريبي" };

/** How the order is called on the board, in the venue's language. */
export const testOrderName = (language: string): string => TEST_NAME[language] ?? "Test order";
