/** The restaurant's own fields, and all settings as one page reads them. Every write names the version that the page saw. */
import type { RestaurantDetails, VenueSettingParts } from "@comanda/contract/console/venue-settings.ts";
import type { Ctx } from "#lib/context.ts";
import { recordChange } from "#lib/record-change.ts";
import { changeRestaurant, lockRestaurant, readRestaurant } from "#platform/tenants/service.ts";
import { findBookingToCome, lockTables } from "#venue/bookings/reservations/service/bookings.ts";
import { hasPlannedPrices } from "#venue/menu/service/scheduled-prices.ts";
import { findSalesRules, listBranches } from "#venue/settings/service.ts";
import { hasUnpublishedShifts, lockShifts } from "#venue/shifts/service/weeks.ts";
import { detailsOf, presentPart, presentRestaurant } from "../present.ts";
import { restaurantErrors, versionOf, zoneErrors } from "../rules.ts";
import { refuseFaults, settingsChanged } from "./stale.ts";

/** Each part has its own version, so that each may come from its own statement. */
export const readVenueSettings = async (ctx: Ctx): Promise<VenueSettingParts> => {
  const [restaurant, branches, { ordering, charges }] = await Promise.all([
    readRestaurant(ctx.db, ctx.tenant.id),
    listBranches(ctx),
    findSalesRules(ctx),
  ]);
  return {
    restaurant: presentRestaurant(restaurant),
    branches: presentPart(branches),
    ordering: presentPart(ordering),
    charges: presentPart(charges),
  };
};

type SeenRestaurant = { seen_version: string; restaurant: RestaurantDetails };

/** The row is locked before the bookings, as an import of a venue file does it. */
export const saveRestaurant = async (
  ctx: Ctx,
  { seen_version, restaurant: wanted }: SeenRestaurant,
): Promise<VenueSettingParts["restaurant"]> => {
  await lockRestaurant(ctx);
  const present = await readRestaurant(ctx.db, ctx.tenant.id);
  const before = detailsOf(present);
  if (versionOf(before) !== seen_version) throw await settingsChanged(ctx, "restaurant", presentRestaurant(present));
  refuseFaults(restaurantErrors({ restaurant: wanted }));
  const after = detailsOf(wanted);
  if (isSame(before, after)) return presentRestaurant(present);
  if (before.zone !== after.zone) await assertZoneMayChange(ctx);
  await changeRestaurant(ctx, before, after);
  // Bookings, tickets, menus, shifts and experiences are shown on the venue's clock and in its language: open pages read all of them again.
  if (before.zone !== after.zone || before.default_language !== after.default_language)
    for (const kind of ["reservation", "ticket", "item", "shift", "experience"] as const) recordChange(ctx, { kind, id: "all" });
  return presentRestaurant(await readRestaurant(ctx.db, ctx.tenant.id));
};

/**
 * Bookings and planned prices have a moment that was named on the venue's clock, and weeks of shifts begin by it. So none of them is made or
 * published while the zone changes.
 */
const assertZoneMayChange = async (ctx: Ctx): Promise<void> => {
  lockShifts(ctx);
  lockTables(ctx);
  const [hasBookings, hasPrices, hasShiftChanges] = await Promise.all([
    findBookingToCome(ctx),
    hasPlannedPrices(ctx),
    hasUnpublishedShifts(ctx),
  ]);
  refuseFaults(zoneErrors({ hasBookings, hasPrices, hasShiftChanges }));
};

/** The database orders the languages of the name in its own way. */
const isSame = (one: RestaurantDetails, other: RestaurantDetails): boolean => versionOf(sorted(one)) === versionOf(sorted(other));

const sorted = ({ name, ...details }: RestaurantDetails) => [Object.entries(name).sort(([a], [b]) => (a < b ? -1 : 1)), details];
