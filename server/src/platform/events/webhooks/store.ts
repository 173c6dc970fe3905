import { sql } from "kysely";
import { createdBy } from "#db/created-by.ts";
import { builder, first, oneRow, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { type AccountRef, creatorColumns } from "#lib/creator.ts";
import { realNow } from "#lib/venue-clock.ts";

const ENDPOINT = ["id", "url", "description", "events", "is_paused", "removed_at", "created_by", "created_at", "updated_at"] as const;

export type EndpointRow = Pick<Row<"webhook_endpoints">, (typeof ENDPOINT)[number]>;

export const insertEndpoint = async (ctx: Ctx, wanted: Pick<EndpointRow, "url" | "description" | "events">): Promise<EndpointRow> => {
  const row = await oneRow(
    ctx.db.query(
      builder
        .insertInto("webhook_endpoints")
        .values({
          restaurant_id: ctx.tenant.id,
          ...wanted,
          ...creatorColumns(ctx.actor),
          created_at: realNow(ctx),
          updated_at: realNow(ctx),
        })
        .returning(ENDPOINT),
    ),
  );
  addEndpointState(ctx, row.id);
  return row;
};

/** A till that is connected again has its state already. */
const addEndpointState = (ctx: Ctx, endpointId: number): void =>
  ctx.db.defer(
    builder
      .insertInto("webhook_endpoint_state")
      .values({ restaurant_id: ctx.tenant.id, endpoint_id: endpointId })
      .onConflict((conflict) => conflict.doNothing()),
  );

/** Removed endpoints and tills are not found. */
const selectEndpoint = (ctx: Ctx, id: number) =>
  builder
    .selectFrom("webhook_endpoints")
    .select(ENDPOINT)
    .where("restaurant_id", "=", ctx.tenant.id)
    .where("id", "=", id)
    .where("kind", "=", "webhook")
    .where("removed_at", "is", null);

export const findEndpoint = (ctx: Ctx, id: number): Promise<EndpointRow | undefined> => first(ctx.db.query(selectEndpoint(ctx, id)));

/** Serializes changes of one endpoint. Events emitted meanwhile wait and see the endpoint as changed. */
export const lockEndpoint = (ctx: Ctx, id: number): Promise<EndpointRow | undefined> =>
  first(ctx.db.query(selectEndpoint(ctx, id).forUpdate()));

export const countEndpoints = async (ctx: Ctx): Promise<number> => {
  const { count } = await oneRow(
    ctx.db.query(
      sql<{ count: number }>`select count(*)::integer from webhook_endpoints
        where restaurant_id = ${ctx.tenant.id} and kind = 'webhook' and removed_at is null`,
    ),
  );
  return count;
};

export type EndpointChange = Partial<Pick<EndpointRow, "url" | "description" | "events" | "is_paused" | "removed_at">>;

export const updateEndpoint = (ctx: Ctx, id: number, change: EndpointChange): void =>
  ctx.db.defer(
    builder
      .updateTable("webhook_endpoints")
      .set({ ...change, updated_at: realNow(ctx) })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id),
  );

export type EndpointWithHealth = EndpointRow & {
  failures_in_row: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  /** `attempts`, `successes` and `p95_ms` count since the given time. */
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
    from webhook_endpoints e join webhook_endpoint_state l on l.restaurant_id = e.restaurant_id and l.endpoint_id = e.id
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
      where restaurant_id = e.restaurant_id and endpoint_id = e.id and (expires_at is null or expires_at > ${realNow(ctx)})) s
    where e.restaurant_id = ${ctx.tenant.id} and e.kind = 'webhook' and e.removed_at is null order by e.id`);

export const insertSecret = (ctx: Ctx, endpointId: number, encryptedSecret: string): void =>
  ctx.db.defer(
    builder
      .insertInto("webhook_secrets")
      .values({ restaurant_id: ctx.tenant.id, endpoint_id: endpointId, encrypted_secret: encryptedSecret, created_at: realNow(ctx) }),
  );

export type SecretRow = { id: number; encrypted_secret: string; expires_at: Date | null };

/** Secrets that sign now, the newest first. */
export const listSecrets = (ctx: Ctx, endpointId: number): Promise<SecretRow[]> =>
  ctx.db.query(
    sql<SecretRow>`select id, encrypted_secret, expires_at from webhook_secrets
      where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and (expires_at is null or expires_at > ${realNow(ctx)})
      order by id desc`,
  );

/** The current secret signs until that time; expired ones are deleted. */
export const retireSecrets = (ctx: Ctx, endpointId: number, until: Date): void => {
  ctx.db.defer(
    sql`delete from webhook_secrets where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and expires_at <= ${realNow(ctx)}`,
  );
  ctx.db.defer(
    sql`update webhook_secrets set expires_at = ${until}
        where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and expires_at is null`,
  );
};

export const deleteSecrets = (ctx: Ctx, endpointId: number): void =>
  ctx.db.defer(sql`delete from webhook_secrets where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId}`);

/** Endpoints that this person added and that are not removed. */
export const listEndpointsMadeBy = (ctx: Ctx, person: AccountRef): Promise<{ id: number; url: string }[]> =>
  ctx.db.query(sql<{ id: number; url: string }>`
    select id, url from webhook_endpoints e where e.restaurant_id = ${ctx.tenant.id} and e.kind = 'webhook' and e.removed_at is null
      and ${createdBy(person, { columns: "e.created_by", action: "webhook.added", subject: sql`e.id::text` })} order by id`);

const TILL_EVENTS = ["order.created"];

/**
 * A venue has one open till: connecting again replaces its address, and what is due to it goes to the new address. The kind
 * is written out, because a generic plan cannot match a partial index to a parameter. It then belongs to who connected it last.
 */
export const upsertTill = async (ctx: Ctx, url: string): Promise<{ id: number }> => {
  const { created_by, created_by_user_id, created_by_email } = creatorColumns(ctx.actor);
  const till = await oneRow(
    ctx.db.query(sql<{ id: number }>`
      insert into webhook_endpoints (restaurant_id, kind, url, events, created_by, created_by_user_id, created_by_email, created_at, updated_at)
      values (${ctx.tenant.id}, 'pos', ${url}, ${TILL_EVENTS}, ${created_by}, ${created_by_user_id}, ${created_by_email}, ${realNow(ctx)}, ${realNow(ctx)})
      on conflict (restaurant_id) where kind = 'pos' and removed_at is null do update set url = excluded.url,
        created_by = excluded.created_by, created_by_user_id = excluded.created_by_user_id, created_by_email = excluded.created_by_email,
        created_at = excluded.created_at, updated_at = excluded.updated_at
      returning id`),
  );
  addEndpointState(ctx, till.id);
  return till;
};

export type TillRow = { id: number; url: string; created_by: string; created_at: Date };

const openTill = (ctx: Ctx) => sql<TillRow>`
  select id, url, created_by, created_at from webhook_endpoints where restaurant_id = ${ctx.tenant.id} and kind = 'pos' and removed_at is null`;

export const findTill = (ctx: Ctx): Promise<TillRow | undefined> => first(ctx.db.query(openTill(ctx)));

/** The open till, if this person connected it last. */
export const findTillOf = (ctx: Ctx, { id, email }: AccountRef): Promise<TillRow | undefined> =>
  first(ctx.db.query(sql<TillRow>`${openTill(ctx)} and (created_by_email = ${email} or created_by_user_id = ${id}::bigint)`));

/** Blocks new deliveries until the end of the transaction. */
export const lockTill = (ctx: Ctx): Promise<TillRow | undefined> => first(ctx.db.query(sql<TillRow>`${openTill(ctx)} for update`));
