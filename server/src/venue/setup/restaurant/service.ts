/** What the holder of a token has to know of it and of the restaurant (decision 0064). One round trip, with the token's check. */

import type { Translations } from "@comanda/contract/shared.ts";
import type { OrderType } from "@comanda/contract/venue/orders.ts";
import type { RestaurantContext } from "@comanda/contract/venue/restaurant.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { Charges } from "@comanda/contract/venue-file/charges.ts";
import { type OrderingRules, PREPARATION_MINUTES } from "@comanda/contract/venue-file/ordering-rules.ts";
import type { Ctx } from "#lib/context.ts";
import { addDays, formatDate } from "#lib/instant.ts";
import type { TokenAccess } from "#lib/principal.ts";
import { formatInstant, wallClock } from "#lib/time-zone.ts";
import { readRestaurant } from "#platform/tenants/service.ts";
import { readMenuLanguages } from "#venue/menu/service/items.ts";
import { findVenueRules } from "#venue/settings/service.ts";

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

type Load = { type: OrderType; paused_until: string | null };
type Parts = {
  access: TokenAccess;
  restaurant: { name: Translations };
  rules: { ordering: OrderingRules; charges: Charges; booking: BookingRules; loads: Load[]; branches: RestaurantContext["branches"] };
  languages: readonly string[];
  now: Date;
};

const presentContext = ({ access, restaurant, rules, languages, now }: Parts): RestaurantContext => {
  const { id, slug, zone, currency, default_language, kind } = access.tenant;
  const { ordering, booking, branches } = rules;
  return {
    token: presentToken(access),
    restaurant: {
      id,
      slug,
      name: restaurant.name,
      zone,
      currency,
      default_language,
      languages: [...new Set([default_language, ...languages])],
      is_sandbox: kind === "sandbox",
      is_suspended: access.suspended_at !== null,
    },
    features: [...access.features],
    order_types: presentOrderTypes(rules, zone, now),
    delivery_zones: ordering.delivery_zones.map(({ minimum_minor, ...delivery }) => ({
      ...delivery,
      minimum_minor: minimum_minor ?? minimumOf(ordering, "delivery"),
    })),
    schedule_days_max: ordering.schedule_days_max,
    branches,
    bookings: access.features.includes("reservations") ? presentBookings(booking) : null,
  };
};

const presentToken = ({ tokenId, appId, tenant, actor, expires_at, ratePerMinute }: TokenAccess): RestaurantContext["token"] => ({
  id: tokenId,
  kind: appId === null ? tenant.kind : "app",
  name: actor.name,
  scopes: [...actor.scopes],
  expires_at: expires_at && formatInstant(tenant.zone, expires_at),
  rate_per_minute: ratePerMinute,
});

const minimumOf = ({ types }: OrderingRules, type: OrderType): number => types.find((one) => one.type === type)?.minimum_minor ?? 0;

const presentOrderTypes = ({ ordering, charges, loads }: Parts["rules"], zone: string, now: Date): RestaurantContext["order_types"] =>
  ordering.types.map(({ type, minimum_minor, preparation_minutes }) => {
    const pausedUntil = new Date(loads.find((load) => load.type === type)?.paused_until ?? 0);
    return {
      type,
      minimum_minor,
      fee_minor: type === "delivery" ? ordering.delivery_fee_minor : 0,
      service_charge_percent: charges.service_charge?.types.includes(type) ? charges.service_charge.percent : 0,
      preparation_minutes: preparation_minutes ?? PREPARATION_MINUTES[type],
      paused_until: pausedUntil > now ? formatInstant(zone, pausedUntil) : null,
    };
  });

const presentBookings = ({ party_size_max, lead_minutes, horizon_days, service_periods }: BookingRules): RestaurantContext["bookings"] => ({
  party_size_max,
  lead_minutes,
  horizon_days,
  service_periods,
});
