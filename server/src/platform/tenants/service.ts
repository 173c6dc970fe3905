/** The restaurant as our customer: its plan, whether it is in force, whether it is suspended. */

import type { Db } from "#db/query.ts";
import type { Ctx, Tenant } from "#lib/context.ts";
import { Misuse } from "#lib/errors.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { isLapsed } from "./rules.ts";
import { findPlan, findRestaurant, findRestaurantId, listPlans, type RestaurantRow, type StandingChange, updateStanding } from "./store.ts";

export const restaurantIdOf = async (db: Db, slug: string): Promise<number> => {
  const id = await findRestaurantId(db, slug);
  if (id === null) throw new Misuse(`There is no venue "${slug}". See \`comanda venue list\`.`);
  return id;
};

export const readRestaurant = async (db: Db, id: number): Promise<RestaurantRow> => {
  const row = await findRestaurant(db, id);
  if (!row) throw new Misuse(`There is no venue with the id ${id}.`);
  return row;
};

export const tenantOf = ({ id, slug, kind, currency, zone, default_language }: RestaurantRow): Tenant => ({
  id,
  slug,
  kind: kind === "sandbox" ? "sandbox" : "live",
  currency,
  zone,
  default_language,
});

export const stateOf = (row: RestaurantRow, now: Date): "active" | "suspended" | "lapsed" => {
  if (isLapsed({ ...row, features: [] }, now)) return "lapsed";
  return row.suspended_at === null ? "active" : "suspended";
};

export const checkedPlan = async (db: Db, code: string): Promise<string> => {
  if (await findPlan(db, code)) return code;
  const plans = (await listPlans(db)).map((plan) => plan.code).join(", ");
  throw new Misuse(`There is no plan "${code}". The plans are: ${plans}.`);
};

export const changeStanding = async (ctx: Ctx, change: StandingChange): Promise<void> => {
  if (ctx.tenant.kind === "sandbox") throw new Misuse("A sandbox has every feature and never ends: it has no plan or standing to change.");
  if (change.plan !== undefined) await checkedPlan(ctx.db, change.plan);
  await updateStanding(ctx, change);
  recordAudit(ctx, {
    action: "restaurant.standing_changed",
    subject: { kind: "restaurant", id: ctx.tenant.id },
    after: { ...change },
  });
};
