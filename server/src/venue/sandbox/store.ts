import { sql } from "kysely";
import { builder, first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { type CalendarDate, formatDate } from "#lib/instant.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { SampleItem } from "./rules/sample-data.ts";

/** Runs in the live restaurant. Undefined when it has a sandbox already. */
export const insertSandbox = (ctx: Ctx): Promise<{ sandbox_id: number } | undefined> =>
  first(
    ctx.db.query(sql<{ sandbox_id: number }>`
      insert into sandboxes (restaurant_id, sandbox_id, created_at) values (${ctx.tenant.id}, nextval('restaurant_ids'), ${realNow(ctx)})
      on conflict (restaurant_id) do nothing returning sandbox_id`),
  );

export const findSandbox = (ctx: Ctx): Promise<{ sandbox_id: number } | undefined> =>
  first(ctx.db.query(builder.selectFrom("sandboxes").select(["sandbox_id"]).where("restaurant_id", "=", ctx.tenant.id)));

export type ResetSchedule = { reset_at: Date | null; next_reset_at: Date };

/** Runs in the sandbox. Undefined while it is not open. */
export const findResetSchedule = (ctx: Ctx): Promise<ResetSchedule | undefined> =>
  first(
    ctx.db.query(builder.selectFrom("sandbox_resets").select(["reset_at", "next_reset_at"]).where("restaurant_id", "=", ctx.tenant.id)),
  );

/** Stores the current rows of the sandbox as its sample. */
export const saveSample = (ctx: Ctx, day: CalendarDate, nextResetAt: Date): void => {
  ctx.db.defer(
    builder
      .insertInto("sandbox_resets")
      .values({ restaurant_id: ctx.tenant.id, sampled_on: formatDate(day), reset_at: null, next_reset_at: nextResetAt }),
  );
  ctx.db.defer(sql`select save_sandbox_sample()`);
};

const RESET_MS_MAX = 60_000;

/** `commit_horizon()` knows a reset by this name and does not wait for it. */
const RESET_NAME = "comanda sandbox reset";

/** Raises the statement timeout, because clearing a busy day takes longer than a request may. */
export const restoreSample = (ctx: Ctx, day: CalendarDate, nextResetAt: Date): void => {
  ctx.db.defer(
    sql`select set_config('application_name', ${RESET_NAME}, true), set_config('statement_timeout', ${String(RESET_MS_MAX)}, true)`,
  );
  ctx.db.defer(sql`select reset_sandbox(${formatDate(day)}::date)`);
  ctx.db.defer(
    builder
      .updateTable("sandbox_resets")
      .set({ reset_at: realNow(ctx), next_reset_at: nextResetAt })
      .where("restaurant_id", "=", ctx.tenant.id),
  );
};

export const listSampleItems = (ctx: Ctx, keys: readonly string[]): Promise<SampleItem[]> =>
  ctx.db.query(sql<SampleItem>`
    select i.key, i.id,
      (select coalesce(json_object_agg(v.key, v.id), '{}') from item_variants v
       where v.restaurant_id = i.restaurant_id and v.item_id = i.id) as variants,
      (select coalesce(json_object_agg(o.key, o.id), '{}') from item_modifier_groups g
       join modifier_options o on o.restaurant_id = g.restaurant_id and o.group_id = g.group_id
       where g.restaurant_id = i.restaurant_id and g.item_id = i.id) as options
    from items i where i.restaurant_id = ${ctx.tenant.id} and i.key = any(${keys}::text[])`);

export type SandboxContents = { dishes: number; tables: number; guests: number; reservations: number; orders: number };

export const countContents = (ctx: Ctx): Promise<SandboxContents> =>
  oneRow(
    ctx.db.query(sql<SandboxContents>`
      select (select count(*)::integer from items where restaurant_id = ${ctx.tenant.id}) as dishes,
        (select count(*)::integer from dining_tables where restaurant_id = ${ctx.tenant.id}) as tables,
        (select count(*)::integer from guests where restaurant_id = ${ctx.tenant.id} and erased_at is null and merged_into is null) as guests,
        (select count(*)::integer from reservations where restaurant_id = ${ctx.tenant.id}) as reservations,
        (select count(*)::integer from orders where restaurant_id = ${ctx.tenant.id}) as orders`),
  );
