/** What the holder of a token has to know of it and of the restaurant (decision 0064). One round trip, with the token's check. */
import type { RestaurantContext } from "@comanda/contract/venue/restaurant.ts";
import type { Ctx } from "#lib/context.ts";
import { addDays, formatDate } from "#lib/instant.ts";
import type { TokenAccess } from "#lib/principal.ts";
import { wallClock } from "#lib/time-zone.ts";
import { readRestaurant } from "#platform/tenants/service.ts";
import { readMenuLanguages } from "#venue/menu/service/items.ts";
import { findVenueRules } from "#venue/settings/service.ts";
import { presentContext } from "./present.ts";

/** A span of yesterday may still run, and most owners take orders and bookings for a year. */
const CLOSING_DAYS_AHEAD = 366;

/** `access` is asked for after the reads, which may end after a change of the token. */
export const readRestaurantContext = async (ctx: Ctx, access: () => TokenAccess): Promise<RestaurantContext> => {
  const today = wallClock(ctx.tenant.zone, ctx.now);
  const [restaurant, rules, languages] = await Promise.all([
    readRestaurant(ctx.db, ctx.tenant.id),
    findVenueRules(ctx, { from: formatDate(addDays(today, -1)), to: formatDate(addDays(today, CLOSING_DAYS_AHEAD)) }),
    readMenuLanguages(ctx),
  ]);
  return presentContext({ access: access(), restaurant, rules, languages, now: ctx.now });
};
