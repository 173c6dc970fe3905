import { sql } from "kysely";
import { madeBy } from "#db/made-by.ts";
import { first, only, q } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { makerOf, type Person } from "#lib/maker.ts";

export type EndpointRow = {
  id: number;
  url: string;
  description: string | null;
  events: string[];
  is_paused: boolean;
  removed_at: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
};

const ENDPOINT = ["id", "url", "description", "events", "is_paused", "removed_at", "created_by", "created_at", "updated_at"] as const;

export const insertEndpoint = async (ctx: Ctx, wanted: Pick<EndpointRow, "url" | "description" | "events">): Promise<EndpointRow> => {
  const row = await only(
    ctx.db.query(
      q
        .insertInto("webhook_endpoints")
        .values({ restaurant_id: ctx.tenant.id, ...wanted, ...makerOf(ctx.actor), created_at: ctx.now, updated_at: ctx.now })
        .returning(ENDPOINT),
    ),
  );
  ctx.db.later(q.insertInto("webhook_lanes").values({ restaurant_id: ctx.tenant.id, endpoint_id: row.id }));
  return row;
};

/** Removed ones are not found. */
export const findEndpoint = (ctx: Ctx, id: number): Promise<EndpointRow | undefined> =>
  first(
    ctx.db.query(
      q
        .selectFrom("webhook_endpoints")
        .select(ENDPOINT)
        .where("restaurant_id", "=", ctx.tenant.id)
        .where("id", "=", id)
        .where("removed_at", "is", null),
    ),
  );

/** Two changes of one endpoint at once come one after the other, and events that look at it meanwhile see what came of them. */
export const lockEndpoint = (ctx: Ctx, id: number): Promise<EndpointRow | undefined> =>
  first(
    ctx.db.query(
      q
        .selectFrom("webhook_endpoints")
        .select(ENDPOINT)
        .where("restaurant_id", "=", ctx.tenant.id)
        .where("id", "=", id)
        .where("removed_at", "is", null)
        .forUpdate(),
    ),
  );

export const countEndpoints = async (ctx: Ctx): Promise<number> => {
  // Two additions at once are counted one after the other, so that the limit holds.
  await ctx.db.query(sql`select from restaurants where id = ${ctx.tenant.id} for no key update`);
  const { count } = await only(
    ctx.db.query(
      sql<{ count: number }>`select count(*)::integer from webhook_endpoints where restaurant_id = ${ctx.tenant.id} and removed_at is null`,
    ),
  );
  return count;
};

export type EndpointChange = Partial<Pick<EndpointRow, "url" | "description" | "events" | "is_paused" | "removed_at">>;

export const updateEndpoint = (ctx: Ctx, id: number, change: EndpointChange): void =>
  ctx.db.later(
    q
      .updateTable("webhook_endpoints")
      .set({ ...change, updated_at: ctx.now })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id),
  );

export type EndpointWithHealth = EndpointRow & {
  failures_in_row: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  /** Of the last 24 hours. */
  attempts: number;
  successes: number;
  p95_ms: number | null;
  pending: number;
  waiting: number;
  next_attempt_at: Date | null;
  secrets: number;
};

export const listEndpoints = (ctx: Ctx, since: Date): Promise<EndpointWithHealth[]> =>
  ctx.db.query(sql<EndpointWithHealth>`
    select e.id, e.url, e.description, e.events, e.is_paused, e.removed_at, e.created_by, e.created_at, e.updated_at,
      l.failures_in_row, l.failing_since, l.last_success_at, l.last_failure_at, l.last_failure,
      a.attempts, a.successes, a.p95_ms, p.pending, p.waiting, p.next_attempt_at, s.secrets
    from webhook_endpoints e join webhook_lanes l on l.restaurant_id = e.restaurant_id and l.endpoint_id = e.id
    cross join lateral (
      select count(*)::integer as attempts, count(*) filter (where failure is null)::integer as successes,
        (percentile_cont(0.95) within group (order by duration_ms))::integer as p95_ms
      from delivery_attempts where restaurant_id = e.restaurant_id and endpoint_id = e.id and at >= ${since}) a
    cross join lateral (
      select count(*)::integer as pending, count(*) filter (where state = 'waiting')::integer as waiting,
        min(due_at) filter (where state = 'waiting') as next_attempt_at
      from deliveries
      where restaurant_id = e.restaurant_id and endpoint_id = e.id and state in ('ready', 'waiting', 'held')) p
    cross join lateral (
      select count(*)::integer as secrets from webhook_secrets
      where restaurant_id = e.restaurant_id and endpoint_id = e.id and (expires_at is null or expires_at > ${ctx.now})) s
    where e.restaurant_id = ${ctx.tenant.id} and e.removed_at is null order by e.id`);

export const insertSecret = (ctx: Ctx, endpointId: number, sealedSecret: string): void =>
  ctx.db.later(
    q
      .insertInto("webhook_secrets")
      .values({ restaurant_id: ctx.tenant.id, endpoint_id: endpointId, sealed_secret: sealedSecret, created_at: ctx.now }),
  );

export type SecretRow = { id: number; sealed_secret: string; expires_at: Date | null };

/** Those that sign now, the newest first. */
export const listSecrets = (ctx: Ctx, endpointId: number): Promise<SecretRow[]> =>
  ctx.db.query(
    sql<SecretRow>`select id, sealed_secret, expires_at from webhook_secrets
      where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and (expires_at is null or expires_at > ${ctx.now})
      order by id desc`,
  );

/** The current one goes on signing until then; what is past its time is removed. */
export const retireSecrets = (ctx: Ctx, endpointId: number, until: Date): void => {
  ctx.db.later(
    sql`delete from webhook_secrets where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and expires_at <= ${ctx.now}`,
  );
  ctx.db.later(
    sql`update webhook_secrets set expires_at = ${until}
        where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and expires_at is null`,
  );
};

export const deleteSecrets = (ctx: Ctx, endpointId: number): void =>
  ctx.db.later(sql`delete from webhook_secrets where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId}`);

export const listEndpointsMadeBy = (ctx: Ctx, person: Person): Promise<{ id: number; url: string }[]> =>
  ctx.db.query(sql<{ id: number; url: string }>`
    select id, url from webhook_endpoints e where e.restaurant_id = ${ctx.tenant.id} and e.removed_at is null
      and ${madeBy(person, { columns: "e.created_by", action: "webhook.added", subject: sql`e.id::text` })} order by id`);
