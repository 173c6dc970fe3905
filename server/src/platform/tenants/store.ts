import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { sql } from "kysely";
import { builder, type Db, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

export type RestaurantFile = VenueFile["restaurant"];

export const findRestaurantId = async (db: Db, slug: string): Promise<number | null> =>
  (await oneRow(db.query(sql<{ id: number | null }>`select restaurant_id_by_slug(${slug}) as id`))).id;

export const newRestaurantId = async (db: Db): Promise<number> =>
  (await oneRow(db.query(sql<{ id: number }>`select nextval('restaurant_ids') as id`))).id;

const LIST_PAGE_ROWS = 500;

/** Every venue of the cell, read page by page. */
export async function* listAllVenues(db: Db): AsyncGenerator<{ restaurant_id: number; slug: string }> {
  let after = "";
  for (;;) {
    const rows = await db.query(
      sql<{ restaurant_id: number; slug: string }>`select restaurant_id, slug from list_venues(${after}, ${LIST_PAGE_ROWS}::integer)`,
    );
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < LIST_PAGE_ROWS) return;
    after = last.slug;
  }
}

export const findRestaurant = (db: Db, id: number) =>
  first(
    db.query(
      builder
        .selectFrom("restaurants")
        .select((eb) => [
          eb.selectFrom("plans").select("has_reservations").whereRef("code", "=", "restaurants.plan").as("has_reservations"),
          eb.selectFrom("plans").select("has_reporting").whereRef("code", "=", "restaurants.plan").as("has_reporting"),
          "id",
          "slug",
          "kind",
          "name",
          "currency",
          "zone",
          "default_language",
          "email",
          "phone",
          "plan",
          "plan_until",
          "suspended_at",
          "created_at",
          "clock_offset_ms",
        ])
        .where("id", "=", id),
    ),
  );

export type RestaurantRow = NonNullable<Awaited<ReturnType<typeof findRestaurant>>>;

export const findPlan = (db: Db, code: string) => first(db.query(builder.selectFrom("plans").select(["code"]).where("code", "=", code)));
export const listPlans = (db: Db) => db.query(builder.selectFrom("plans").select(["code"]).orderBy("code"));

/**
 * A venue keeps its slug. An update that names it would lock the row against references to it, while each write records its audit entry
 * after it has locked what this import locks next.
 */
export const upsertRestaurant = async (ctx: Ctx, file: RestaurantFile, plan: string): Promise<void> => {
  const row = {
    name: JSON.stringify(file.name),
    currency: file.currency,
    zone: file.zone,
    default_language: file.default_language,
    email: file.email,
    phone: file.phone,
    plan,
    updated_at: realNow(ctx),
  };
  await ctx.db.query(
    builder
      .insertInto("restaurants")
      .values({ id: ctx.tenant.id, kind: ctx.tenant.kind, slug: file.slug, created_at: realNow(ctx), ...row })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(row)),
  );
};

/** Additions that a limit counts run one after the other, so that the limit holds. */
export const lockRestaurant = async (ctx: Ctx): Promise<void> => {
  await ctx.db.query(sql`select from restaurants where id = ${ctx.tenant.id} for no key update`);
};

/** Waits for running writes of the venue, and lets none begin before the commit. Only for a transaction that is no such write itself. */
export const lockWrites = (ctx: Ctx): void => ctx.db.defer(sql`select lock_access('venue', ${ctx.tenant.id}, true)`);

export const lockFactorRule = (ctx: Ctx): Promise<{ needs_second_factor: boolean }> =>
  oneRow(
    ctx.db.query(
      sql<{ needs_second_factor: boolean }>`select needs_second_factor from restaurants where id = ${ctx.tenant.id} for no key update`,
    ),
  );

export const findFactorRule = (ctx: Ctx): Promise<{ needs_second_factor: boolean }> =>
  oneRow(ctx.db.query(sql<{ needs_second_factor: boolean }>`select needs_second_factor from restaurants where id = ${ctx.tenant.id}`));

export const setFactorRule = (ctx: Ctx, isNeeded: boolean): void =>
  ctx.db.defer(sql`update restaurants set needs_second_factor = ${isNeeded}, updated_at = ${realNow(ctx)} where id = ${ctx.tenant.id}`);

export type PlanStateChange = { plan?: string; plan_until?: Date | null; suspended_at?: Date | null };

export const updatePlanState = async (ctx: Ctx, change: PlanStateChange): Promise<void> => {
  await ctx.db.query(
    builder
      .updateTable("restaurants")
      .set({ ...change, updated_at: realNow(ctx) })
      .where("id", "=", ctx.tenant.id),
  );
};

export type RestaurantFields = Pick<RestaurantFile, "name" | "default_language" | "zone" | "email" | "phone">;

/** Sets how far a sandbox's clock is ahead from the next transaction on. */
export const updateClockOffset = (ctx: Ctx, ms: number): void =>
  ctx.db.defer(sql`update restaurants set clock_offset_ms = ${ms} where id = ${ctx.tenant.id}`);

export const updateRestaurant = async (ctx: Ctx, { name, default_language, zone, email, phone }: RestaurantFields): Promise<void> => {
  await ctx.db.query(
    builder
      .updateTable("restaurants")
      .set({ name: JSON.stringify(name), default_language, zone, email, phone, updated_at: realNow(ctx) })
      .where("id", "=", ctx.tenant.id),
  );
};
