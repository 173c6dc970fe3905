/** The restaurant itself in a venue file. */
import type { VenueFile } from "@comanda/contract/venue-file.ts";
import type { Ctx } from "#lib/context.ts";
import { checkedPlan, readRestaurant } from "./service.ts";
import { findRestaurant, upsertRestaurant } from "./store.ts";

type RestaurantFile = VenueFile["restaurant"];

const DEFAULT_PLAN = "complete";

/** A restaurant that exists keeps its plan when the file names none. */
export const applyRestaurant = async (ctx: Ctx, file: RestaurantFile): Promise<void> => {
  const current = await findRestaurant(ctx.db, ctx.tenant.id);
  const plan = await checkedPlan(ctx.db, file.plan ?? current?.plan ?? DEFAULT_PLAN);
  await upsertRestaurant(ctx, file, plan);
};

export const collectRestaurant = async (ctx: Ctx): Promise<RestaurantFile> => {
  const { slug, name, currency, zone, default_language, plan, email, phone } = await readRestaurant(ctx.db, ctx.tenant.id);
  return { slug, name, currency, zone, default_language, plan, email, phone };
};
