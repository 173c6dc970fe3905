import { sql } from "kysely";
import { first, only, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { type CalendarDate, formatDate } from "#lib/instant.ts";
import type { SampleDish } from "./rules.ts";

/** As of the live restaurant. Undefined when it has a sandbox already, or another process was a moment earlier. */
export const insertSandbox = (ctx: Ctx): Promise<{ sandbox_id: number } | undefined> =>
  first(
    ctx.db.query(sql<{ sandbox_id: number }>`
      insert into sandboxes (restaurant_id, sandbox_id, created_at) values (${ctx.tenant.id}, nextval('restaurant_ids'), ${ctx.now})
      on conflict (restaurant_id) do nothing returning sandbox_id`),
  );

export const findSandbox = (ctx: Ctx): Promise<{ sandbox_id: number } | undefined> =>
  first(ctx.db.query(q.selectFrom("sandboxes").select(["sandbox_id"]).where("restaurant_id", "=", ctx.tenant.id)));

export type ResetsRow = { reset_at: Date | null; next_reset_at: Date };

/** As of the sandbox. Undefined while it is not open yet. */
export const findResets = (ctx: Ctx): Promise<ResetsRow | undefined> =>
  first(ctx.db.query(q.selectFrom("sandbox_resets").select(["reset_at", "next_reset_at"]).where("restaurant_id", "=", ctx.tenant.id)));

/** Keeps what the sandbox holds as its sample. */
export const keepSample = (ctx: Ctx, day: CalendarDate, nextResetAt: Date): void => {
  ctx.db.later(
    q
      .insertInto("sandbox_resets")
      .values({ restaurant_id: ctx.tenant.id, sampled_on: formatDate(day), reset_at: null, next_reset_at: nextResetAt }),
  );
  ctx.db.later(sql`select keep_sandbox_sample()`);
};

const RESET_MS_MAX = 60_000;

/** `settled_until()` knows a reset by this name and does not wait for it. */
const RESET_NAME = "comanda sandbox reset";

/** A day of busy trying-out takes longer to clear away than a request may take. */
export const restoreSample = (ctx: Ctx, day: CalendarDate, nextResetAt: Date): void => {
  ctx.db.later(
    sql`select set_config('application_name', ${RESET_NAME}, true), set_config('statement_timeout', ${String(RESET_MS_MAX)}, true)`,
  );
  ctx.db.later(sql`select reset_sandbox(${formatDate(day)}::date)`);
  ctx.db.later(
    q.updateTable("sandbox_resets").set({ reset_at: ctx.now, next_reset_at: nextResetAt }).where("restaurant_id", "=", ctx.tenant.id),
  );
};

export const listSampleDishes = (ctx: Ctx, keys: readonly string[]): Promise<SampleDish[]> =>
  ctx.db.query(sql<SampleDish>`
    select i.key, i.id,
      (select coalesce(json_object_agg(v.key, v.id), '{}') from item_variants v
       where v.restaurant_id = i.restaurant_id and v.item_id = i.id) as sizes,
      (select coalesce(json_object_agg(o.key, o.id), '{}') from item_modifier_groups g
       join modifier_options o on o.restaurant_id = g.restaurant_id and o.group_id = g.group_id
       where g.restaurant_id = i.restaurant_id and g.item_id = i.id) as options
    from items i where i.restaurant_id = ${ctx.tenant.id} and i.key = any(${keys}::text[])`);

export type Contents = { dishes: number; tables: number; guests: number; reservations: number; orders: number };

export const countRows = (ctx: Ctx): Promise<Contents> =>
  only(
    ctx.db.query(sql<Contents>`
      select (select count(*)::integer from items where restaurant_id = ${ctx.tenant.id}) as dishes,
        (select count(*)::integer from dining_tables where restaurant_id = ${ctx.tenant.id}) as tables,
        (select count(*)::integer from guests where restaurant_id = ${ctx.tenant.id} and erased_at is null) as guests,
        (select count(*)::integer from reservations where restaurant_id = ${ctx.tenant.id}) as reservations,
        (select count(*)::integer from orders where restaurant_id = ${ctx.tenant.id}) as orders`),
  );
