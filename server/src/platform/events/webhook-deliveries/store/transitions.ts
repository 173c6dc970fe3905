/** State changes that a person asks for: pause, resume, remove, replay, retry. */
import { RETRY_DELIVERIES_MAX } from "@comanda/contract/console/webhooks.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";

/** Held deliveries wait until their endpoint is resumed, without a limit. */
export const holdDeliveries = (ctx: Ctx, endpointId: number): void =>
  ctx.db.defer(sql`
    update deliveries set state = 'held', due_at = null
    where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state in ('ready', 'waiting')`);

export const resumeDeliveries = (ctx: Ctx, endpointId: number): void =>
  ctx.db.defer(sql`
    update deliveries set state = 'ready', due_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state = 'held'`);

export const abandonDeliveries = (ctx: Ctx, endpointId: number, failure: "removed" | "disconnected"): void =>
  ctx.db.defer(sql`
    update deliveries set state = 'failed', due_at = null, last_failure = ${failure}, updated_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state in ('ready', 'waiting', 'held')`);

export type RestartedDelivery = { id: number; endpoint_id: number; event_id: string };

/** Starts a new cycle of attempts for a delivery that is done or failed; undefined in any other state. */
export const restartDelivery = (ctx: Ctx, id: number): Promise<RestartedDelivery | undefined> =>
  first(ctx.db.query(sql<RestartedDelivery>`${restarted(ctx, sql`d.id = ${id} and d.state in ('done', 'failed')`)}`));

export const restartDeliveries = (ctx: Ctx, ids: readonly number[]): Promise<RestartedDelivery[]> =>
  ctx.db.query(sql<RestartedDelivery>`${restarted(ctx, sql`d.id = any(${ids}::bigint[]) and d.state in ('done', 'failed')`)}`);

/** Returns for each delivery that exists whether it can be restarted, or which of endpoint and state prevents it. */
export const listRestartable = (ctx: Ctx, ids: readonly number[]): Promise<{ id: number; is_removed: boolean; is_ended: boolean }[]> =>
  ctx.db.query(
    sql<{ id: number; is_removed: boolean; is_ended: boolean }>`
      select d.id, e.removed_at is not null as is_removed, d.state in ('done', 'failed') as is_ended
      from deliveries d join webhook_endpoints e on e.restaurant_id = d.restaurant_id and e.id = d.endpoint_id
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(${ids}::bigint[]) and e.kind = 'webhook'`,
  );

export const restartFailed = (ctx: Ctx, endpointId: number, since: Date): Promise<{ id: number }[]> =>
  ctx.db.query(
    sql<{ id: number }>`${restarted(ctx, sql`d.endpoint_id = ${endpointId} and d.state = 'failed' and d.created_at >= ${since}`)}`,
  );

const restarted = (ctx: Ctx, which: ReturnType<typeof sql>) => sql`
  update deliveries d set state = case when e.is_paused then 'held' else 'ready' end,
    due_at = case when e.is_paused then null else ${realNow(ctx)}::timestamptz end, cycle = d.cycle + 1, attempts = 0, updated_at = ${realNow(ctx)}
  from (select id, is_paused from webhook_endpoints
    where restaurant_id = ${ctx.tenant.id} and kind = 'webhook' and removed_at is null for key share) e
  where d.restaurant_id = ${ctx.tenant.id} and e.id = d.endpoint_id and ${which}
  returning d.id, d.endpoint_id, d.event_id`;

/**
 * Makes waiting deliveries due. One that is being sent is `ready`, so it is not sent twice. The cycle is new, so that retrying
 * often does not use up the six attempts. Rows that a worker or a pause is changing are skipped: they stop waiting.
 */
export const retryWaiting = (ctx: Ctx, which: { ids: readonly number[] } | { endpointId: number }): Promise<RestartedDelivery[]> =>
  ctx.db.query(
    sql<RestartedDelivery>`update deliveries d set state = 'ready', due_at = ${realNow(ctx)}, cycle = d.cycle + 1, attempts = 0, updated_at = ${realNow(ctx)}
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(array(
        select w.id from deliveries w where w.restaurant_id = ${ctx.tenant.id} and w.state = 'waiting'
          and ${"ids" in which ? sql`w.id = any(${which.ids}::bigint[])` : sql`w.endpoint_id = ${which.endpointId}`}
        order by w.due_at, w.id limit ${RETRY_DELIVERIES_MAX}::integer for update skip locked))
      returning d.id, d.endpoint_id, d.event_id`,
  );

export const countWaiting = async (ctx: Ctx, endpointId: number): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{ count: number }>`select count(*)::integer from deliveries
          where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state = 'waiting'`,
      ),
    )
  ).count;

export const countFailed = async (ctx: Ctx, endpointId: number, since: Date): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(
        sql<{ count: number }>`select count(*)::integer from deliveries
          where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state = 'failed' and created_at >= ${since}`,
      ),
    )
  ).count;
