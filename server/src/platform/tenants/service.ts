/** The restaurant as a customer: its plan, when the plan ends, and whether it is suspended. */

import { FEATURES, type Feature } from "@comanda/contract/scopes.ts";
import type { Db } from "#db/query.ts";
import { isLapsed } from "#lib/authorization.ts";
import type { Ctx, Tenant, TenantById } from "#lib/context.ts";
import { UserError } from "#lib/errors.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import {
  findFactorRule,
  findPlan,
  findRestaurant,
  findRestaurantId,
  listPlans,
  lockFactorRule,
  lockRestaurant,
  lockWrites,
  type PlanStateChange,
  type RestaurantFields,
  type RestaurantRow,
  setFactorRule,
  updateClockOffset,
  updatePlanState,
  updateRestaurant,
} from "./store.ts";

export { lockRestaurant, lockWrites, updateClockOffset };

/** The subject of the rule in the activity log. No e-mail address looks like it. */
export const FACTOR_RULE = "second_factor";

export const restaurantIdOf = async (db: Db, slug: string): Promise<number> => {
  const id = await findRestaurantId(db, slug);
  if (id === null) throw new UserError(`There is no venue "${slug}". See \`comanda-admin venue list\`.`);
  return id;
};

export const isSlugFree = async (db: Db, slug: string): Promise<boolean> => (await findRestaurantId(db, slug)) === null;

export const readRestaurant = async (db: Db, id: number): Promise<RestaurantRow> => {
  const row = await findRestaurant(db, id);
  if (!row) throw new UserError(`There is no venue with the id ${id}.`);
  return row;
};

/** Null while the venue is not there yet. */
export const findCurrency = async (ctx: Ctx): Promise<string | null> => (await findRestaurant(ctx.db, ctx.tenant.id))?.currency ?? null;

export const tenantOf = ({ id, slug, kind, currency, zone, default_language, clock_offset_ms }: RestaurantRow): Tenant => ({
  id,
  slug,
  kind: kind === "sandbox" ? "sandbox" : "live",
  currency,
  zone,
  default_language,
  clock_offset_ms,
});

/** The argument of `withTenant`. */
export const tenantById = (id: number): TenantById => ({ id, read: async (db) => tenantOf(await readRestaurant(db, id)) });

export const stateOf = (row: RestaurantRow, now: Date): "active" | "suspended" | "lapsed" => {
  if (isLapsed(row, now)) return "lapsed";
  return row.suspended_at === null ? "active" : "suspended";
};

type PlanFeatures = { [F in Feature as `has_${F}`]: boolean | null };

export const featuresOf = (plan: PlanFeatures): Feature[] => FEATURES.filter((feature) => plan[`has_${feature}`]);

/** A sandbox has every feature. */
export const hasFeature = ({ kind, ...plan }: RestaurantRow, feature: Feature): boolean =>
  kind === "sandbox" || featuresOf(plan).includes(feature);

export const requirePlan = async (db: Db, code: string): Promise<string> => {
  if (await findPlan(db, code)) return code;
  const plans = (await listPlans(db)).map((plan) => plan.code).join(", ");
  throw new UserError(`There is no plan "${code}". The plans are: ${plans}.`);
};

export const changePlanState = async (ctx: Ctx, change: PlanStateChange): Promise<void> => {
  if (ctx.tenant.kind === "sandbox")
    throw new UserError("A sandbox has every feature and no end date: its plan and suspension cannot be changed.");
  if (change.plan !== undefined) await requirePlan(ctx.db, change.plan);
  await updatePlanState(ctx, change);
  recordAudit(ctx, {
    action: "restaurant.standing_changed",
    subject: { kind: "restaurant", id: ctx.tenant.id },
    after: { ...change },
  });
};

/** What the owner changes in the console. The caller has checked the fields. */
export const changeRestaurant = async (ctx: Ctx, before: RestaurantFields, after: RestaurantFields): Promise<void> => {
  await updateRestaurant(ctx, after);
  recordAudit(ctx, {
    action: "restaurant.changed",
    subject: { kind: "restaurant", id: ctx.tenant.id },
    before: { ...before },
    after: { ...after },
  });
};

/** Whether owners and managers must have a second factor. */
export const readFactorRule = async (ctx: Ctx): Promise<boolean> => (await findFactorRule(ctx)).needs_second_factor;

export const readFactorRuleForChange = async (ctx: Ctx): Promise<boolean> => (await lockFactorRule(ctx)).needs_second_factor;

/** The subject is the team, so that open pages of people without a second factor are checked again. */
export const changeFactorRule = (ctx: Ctx, isNeeded: boolean): void => {
  setFactorRule(ctx, isNeeded);
  recordAudit(ctx, {
    action: "staff.factor_rule_changed",
    subject: { kind: "staff", id: FACTOR_RULE },
    before: { is_second_factor_required: !isNeeded },
    after: { is_second_factor_required: isNeeded },
  });
};
