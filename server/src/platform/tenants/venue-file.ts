/** The restaurant's own fields in a venue file. */
import type { Ctx } from "#lib/context.ts";
import { readRestaurant, requirePlan } from "./service.ts";
import { findRestaurant, type RestaurantFile, upsertRestaurant } from "./store.ts";

const DEFAULT_PLAN = "complete";

/** Without a plan in the file, an existing restaurant keeps its plan. */
export const applyRestaurant = async (ctx: Ctx, file: RestaurantFile): Promise<void> => {
  const current = await findRestaurant(ctx.db, ctx.tenant.id);
  const plan = await requirePlan(ctx.db, file.plan ?? current?.plan ?? DEFAULT_PLAN);
  await upsertRestaurant(ctx, file, plan);
};

export const collectRestaurant = async (ctx: Ctx): Promise<RestaurantFile> => {
  const { slug, name, currency, zone, default_language, plan, email, phone } = await readRestaurant(ctx.db, ctx.tenant.id);
  return { slug, name, currency, zone, default_language, plan, email, phone };
};
