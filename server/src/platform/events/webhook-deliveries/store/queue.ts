/** The queue of deliveries: which endpoints a worker serves, and what is due to each. */
import { sql } from "kysely";
import { type Db, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { EndpointHealth } from "../rules/endpoint-health.ts";

/** One worker alone serves the endpoint until it releases it. */
export type EndpointLease = { restaurant_id: number; endpoint_id: number; is_failing: boolean };

export type ClaimOptions = {
  /** The number of this worker. */
  worker: number;
  /** Endpoints that this worker serves already. */
  busy: number[];
  /** The restaurants that use this worker's slots for healthy endpoints, one entry for each slot. */
  holders: number[];
  healthyMax: number;
  failingMax: number;
  venueMax: number;
  now: Date | null;
};

/** Makes waiting deliveries that are due ready, then claims their endpoints over all restaurants of the cell. It returns ids only; their deliveries are read as their tenant. */
export const claimEndpoints = (
  db: Db,
  { worker, busy, holders, healthyMax, failingMax, venueMax, now }: ClaimOptions,
): Promise<EndpointLease[]> =>
  db.query(
    sql<EndpointLease>`select restaurant_id, endpoint_id, is_failing from claim_endpoints(${worker}::integer, ${busy}::bigint[], ${holders}::bigint[],
        ${healthyMax}::integer, ${failingMax}::integer, ${venueMax}::integer, ${now}::timestamptz)`,
  );

export type DeliveryBacklog = { ready: number; waiting: number; oldest_due_seconds: number | null };

export const readBacklog = (db: Db, now: Date | null): Promise<DeliveryBacklog> =>
  oneRow(db.query(sql<DeliveryBacklog>`select ready, waiting, oldest_due_seconds from delivery_backlog(${now}::timestamptz)`));

export type EndpointKind = "webhook" | "pos";

export type EndpointTarget = { url: string; kind: EndpointKind; is_removed: boolean; is_lapsed: boolean };

export const findTarget = (ctx: Ctx, endpointId: number): Promise<EndpointTarget> =>
  oneRow(
    ctx.db.query(
      sql<EndpointTarget>`select e.url, e.kind, e.removed_at is not null as is_removed, coalesce(r.plan_until <= ${realNow(ctx)}, false) as is_lapsed
        from webhook_endpoints e join restaurants r on r.id = e.restaurant_id
        where e.restaurant_id = ${ctx.tenant.id} and e.id = ${endpointId}`,
    ),
  );

export type DueDelivery = { id: number; cycle: number; attempts: number; event_id: string; event_type: string; body: string };

export const listDue = (ctx: Ctx, endpointId: number, rowCount: number): Promise<DueDelivery[]> =>
  ctx.db.query(
    sql<DueDelivery>`select id, cycle, attempts, event_id, event_type, body
      from due_deliveries(${ctx.tenant.id}::bigint, ${endpointId}::bigint, ${rowCount}::integer)`,
  );

export type EndpointStateRow = EndpointHealth & { worker: number | null };

export const lockEndpointState = (ctx: Ctx, endpointId: number): Promise<EndpointStateRow> =>
  oneRow(
    ctx.db.query(
      sql<EndpointStateRow>`select worker, failures_in_row, failing_since, last_success_at, last_failure_at, last_failure, notified_at
        from webhook_endpoint_state where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} for update`,
    ),
  );

/** Until the end of this transaction, no worker records results for endpoints of this restaurant. */
export const lockEndpointStates = async (ctx: Ctx): Promise<void> => {
  await ctx.db.query(sql`select from webhook_endpoint_state where restaurant_id = ${ctx.tenant.id} order by endpoint_id for update`);
};

export const updateEndpointState = (ctx: Ctx, endpointId: number, health: EndpointHealth, isReleased: boolean): void =>
  ctx.db.defer(
    sql`update webhook_endpoint_state set failures_in_row = ${health.failures_in_row}, failing_since = ${health.failing_since},
          last_success_at = ${health.last_success_at}, last_failure_at = ${health.last_failure_at},
          last_failure = ${health.last_failure}, notified_at = ${health.notified_at},
          worker = case when ${isReleased} then null else worker end,
          leased_until = case when ${isReleased} then null else leased_until end
        where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId}`,
  );
