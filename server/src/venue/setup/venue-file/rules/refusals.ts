/** What a file must leave as it is in the venue, how large it may make the venue, and how often one is imported. */
import { bookingsToCome, ticketsToCome, ticketsToRefund } from "@comanda/contract/console/bookings-to-come.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { CATEGORIES_MAX, DISHES_MAX, OPTIONS_MAX, VENUE_TABLES_MAX } from "@comanda/contract/venue-limits.ts";
import { keysIn } from "#lib/collect-errors.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { menuSizeErrors } from "#venue/menu/rules/menu-size.ts";

export { menuSizeErrors };

/** What a venue owns that is bounded. */
export type VenueSizes = { dishes: number; categories: number; options: number; tables: number };

export const sizesOf = ({ menus, modifier_groups, tables }: VenueFile): VenueSizes => {
  const categories = menus.flatMap((menu) => menu.categories);
  return {
    dishes: categories.reduce((sum, { items }) => sum + items.length, 0),
    categories: categories.length,
    options: modifier_groups.reduce((sum, { options }) => sum + options.length, 0),
    tables: tables.length,
  };
};

/** What a venue has above a bound stays, so that its own export can be imported. */
export const sizeErrors = (before: VenueSizes, after: VenueSizes): FieldErrors => {
  const bounds = [
    ["menus", "dishes", DISHES_MAX],
    ["menus", "categories", CATEGORIES_MAX],
    ["modifier_groups", "options", OPTIONS_MAX],
    ["tables", "tables", VENUE_TABLES_MAX],
  ] as const;
  const errors: Record<string, string[]> = {};
  for (const [path, what, max] of bounds)
    if (after[what] > max && after[what] > before[what])
      errors[path] = [...(errors[path] ?? []), `A venue has at most ${max} ${what}, and the file has ${after[what]}.`];
  return errors;
};

/** Amounts are kept without their currency, in orders too. */
export const currencyErrors = (venue: VenueFile, file: VenueFile): FieldErrors =>
  venue.restaurant.currency === file.restaurant.currency
    ? {}
    : { "restaurant.currency": [`The venue has ${venue.restaurant.currency}, which cannot be changed.`] };

type BookedRow = { id: number; key: string };

export const removedRows = <T extends BookedRow>(before: readonly T[], after: readonly { key: string }[]): T[] => {
  const kept = keysIn([...after]);
  return before.filter(({ key }) => !kept.has(key));
};

/** How many bookings, parties with tickets to come, and parties that are not refunded keep a row. */
type RemovedEntry = { key: string; bookings?: number | undefined; tickets?: number | undefined; unrefunded?: number };

const bookedSentences = ({ bookings = 0, tickets = 0, unrefunded = 0 }: RemovedEntry): string[] => [
  ...(bookings > 0 ? [bookingsToCome("It", bookings)] : []),
  ...(tickets > 0 ? [ticketsToCome("It", tickets)] : []),
  ...(unrefunded > 0 ? [ticketsToRefund("It", unrefunded)] : []),
];

/** Bookings keep their table, their branch and their experience, as on the pages of the console. By area, what the file removes. */
export const bookedErrors = (removed: Record<"branches" | "tables" | "experiences", readonly RemovedEntry[]>): FieldErrors =>
  Object.fromEntries(
    Object.entries(removed).flatMap(([area, entries]) =>
      entries.flatMap((entry): [string, string[]][] => {
        const sentences = bookedSentences(entry);
        return sentences.length === 0 ? [] : [[`removed.${area}.${entry.key}`, sentences]];
      }),
    ),
  );

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Imports of a venue by its owners, where something changed. */
export const IMPORTS_AN_HOUR_MAX = 20;
export const IMPORTS_A_DAY_MAX = 60;

/** Only imports after this are counted. */
export const importsSince = (now: Date): Date => new Date(now.getTime() - DAY_MS);

/** Seconds until the next import; 0 now. `imports` are those of the last day, the newest first. */
export const importWait = (imports: readonly { at: Date }[], now: Date): number => {
  const wait = (max: number, windowMs: number): number => {
    const oldest = imports[max - 1];
    return oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000));
  };
  return Math.max(wait(IMPORTS_AN_HOUR_MAX, HOUR_MS), wait(IMPORTS_A_DAY_MAX, DAY_MS));
};
