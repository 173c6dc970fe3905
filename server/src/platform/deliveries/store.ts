import { DELIVERY_STATES, RETRY_DELIVERIES_MAX } from "@comanda/contract/console-webhooks.ts";
import { EVENT_TYPES } from "@comanda/contract/events.ts";
import { type RawBuilder, sql } from "kysely";
import { type Db, first, only } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { Health, Next } from "./rules.ts";

export type Lane = { restaurant_id: number; endpoint_id: number; is_failing: boolean };

export type Claim = {
  me: number;
  /** Endpoints that this worker serves already. */
  busy: number[];
  /** The venues of those that have a place among the healthy, one entry for each place. */
  holders: number[];
  healthyMax: number;
  failingMax: number;
  venueMax: number;
  now: Date | null;
};

/** Over all venues of the cell: ids of lanes that this worker now serves. What is due there is read as their venue. */
export const claimLanes = (db: Db, { me, busy, holders, healthyMax, failingMax, venueMax, now }: Claim): Promise<Lane[]> =>
  db.query(
    sql<Lane>`select restaurant_id, endpoint_id, is_failing from claim_lanes(${me}::integer, ${busy}::bigint[], ${holders}::bigint[],
        ${healthyMax}::integer, ${failingMax}::integer, ${venueMax}::integer, ${now}::timestamptz)`,
  );

export type Backlog = { ready: number; waiting: number; oldest_due_seconds: number | null };

export const readBacklog = (db: Db, now: Date | null): Promise<Backlog> =>
  only(db.query(sql<Backlog>`select ready, waiting, oldest_due_seconds from delivery_backlog(${now}::timestamptz)`));

export type Target = { url: string; is_removed: boolean; is_lapsed: boolean };

export const findTarget = (ctx: Ctx, endpointId: number): Promise<Target> =>
  only(
    ctx.db.query(
      sql<Target>`select e.url, e.removed_at is not null as is_removed, coalesce(r.plan_until <= ${ctx.now}, false) as is_lapsed
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

export type LaneRow = Health & { worker: number | null };

export const lockLane = (ctx: Ctx, endpointId: number): Promise<LaneRow> =>
  only(
    ctx.db.query(
      sql<LaneRow>`select worker, failures_in_row, failing_since, last_success_at, last_failure_at, last_failure, told_at
        from webhook_lanes where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} for update`,
    ),
  );

export const lockLanes = async (ctx: Ctx): Promise<void> => {
  await ctx.db.query(sql`select from webhook_lanes where restaurant_id = ${ctx.tenant.id} order by endpoint_id for update`);
};

export const updateLane = (ctx: Ctx, endpointId: number, health: Health, isReleased: boolean): void =>
  ctx.db.later(
    sql`update webhook_lanes set failures_in_row = ${health.failures_in_row}, failing_since = ${health.failing_since},
          last_success_at = ${health.last_success_at}, last_failure_at = ${health.last_failure_at},
          last_failure = ${health.last_failure}, told_at = ${health.told_at},
          worker = case when ${isReleased} then null else worker end,
          leased_until = case when ${isReleased} then null else leased_until end
        where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId}`,
  );

export type Attempt = Next & {
  id: number;
  cycle: number;
  attempt: number;
  at: Date;
  status: number | null;
  duration_ms: number;
  failure: string | null;
  answer: string;
  /** Checksum of what the receiver was sent; null when it had nothing to say. */
  sent: string | null;
};

/**
 * Only what is still waiting for exactly this attempt: a worker that comes late changes nothing, and logs nothing. The ids
 * are named beside the join, so that the rows are found by their key however many others the venue has. What was paused
 * while it was on its way stays held when it failed. An answer to an event that no longer reads as it was sent is left out:
 * its guest was erased meanwhile, and the receiver may have echoed who it was.
 */
export const recordAttempts = (ctx: Ctx, endpointId: number, attempts: readonly Attempt[]): void =>
  ctx.db.later(sql`
    with moved as (
      update deliveries d set state = case when d.state = 'held' and m.state = 'waiting' then 'held' else m.state end,
        due_at = case when d.state = 'held' then null else m.due_at end, attempts = m.attempt, last_status = m.status,
        last_failure = m.failure, last_duration_ms = m.duration_ms, updated_at = ${ctx.now}
      from jsonb_to_recordset(${JSON.stringify(attempts)}::jsonb) as m (id bigint, cycle integer, attempt integer, at timestamptz,
        status integer, duration_ms integer, failure text, answer text, sent text, state text, due_at timestamptz)
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(${attempts.map(({ id }) => id)}::bigint[])
        and d.id = m.id and d.cycle = m.cycle and d.attempts = m.attempt - 1 and d.state in ('ready', 'held')
      returning m.id, m.cycle, m.attempt, m.at, m.status, m.duration_ms, m.failure, m.answer, m.sent, d.event_id
    )
    insert into delivery_attempts (restaurant_id, delivery_id, cycle, attempt, endpoint_id, at, status, duration_ms, failure, answer)
    select ${ctx.tenant.id}, id, cycle, attempt, ${endpointId}, at, status, duration_ms, failure,
      case when sent = (select encode(sha256(convert_to(v.body, 'UTF8')), 'hex') from events v where v.restaurant_id = ${ctx.tenant.id} and v.id = moved.event_id) then answer else '' end
    from moved`);

/** Not an attempt: how often it was tried stays as it was. */
export const postponeDeliveries = (ctx: Ctx, deliveries: readonly DueDelivery[], dueAt: Date): void =>
  ctx.db.later(sql`
    update deliveries d set state = 'waiting', due_at = ${dueAt}, last_failure = 'secret', updated_at = ${ctx.now}
    from jsonb_to_recordset(${JSON.stringify(deliveries.map(({ id, cycle, attempts }) => ({ id, cycle, attempts })))}::jsonb)
      as m (id bigint, cycle integer, attempts integer)
    where d.restaurant_id = ${ctx.tenant.id} and d.id = any(${deliveries.map(({ id }) => id)}::bigint[])
      and d.id = m.id and d.cycle = m.cycle and d.attempts = m.attempts and d.state = 'ready'`);

/** What is due to a paused endpoint waits for it, however long. */
export const holdDeliveries = (ctx: Ctx, endpointId: number): void =>
  ctx.db.later(sql`
    update deliveries set state = 'held', due_at = null
    where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state in ('ready', 'waiting')`);

export const resumeDeliveries = (ctx: Ctx, endpointId: number): void =>
  ctx.db.later(sql`
    update deliveries set state = 'ready', due_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state = 'held'`);

export const abandonDeliveries = (ctx: Ctx, endpointId: number): void =>
  ctx.db.later(sql`
    update deliveries set state = 'failed', due_at = null, last_failure = 'removed', updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state in ('ready', 'waiting', 'held')`);

export type RestartedDelivery = { id: number; endpoint_id: number; event_id: string };

/** A fresh cycle of attempts for what is done or given up; undefined for anything else. */
export const restartDelivery = (ctx: Ctx, id: number): Promise<RestartedDelivery | undefined> =>
  first(ctx.db.query(sql<RestartedDelivery>`${restarted(ctx, sql`d.id = ${id} and d.state in ('done', 'failed')`)}`));

export const restartDeliveries = (ctx: Ctx, ids: readonly number[]): Promise<RestartedDelivery[]> =>
  ctx.db.query(sql<RestartedDelivery>`${restarted(ctx, sql`d.id = any(${ids}::bigint[]) and d.state in ('done', 'failed')`)}`);

/** Of those that are known: whether each could be restarted now, and if not, whether for its address or for its state. */
export const listRestartable = (ctx: Ctx, ids: readonly number[]): Promise<{ id: number; is_removed: boolean; is_at_rest: boolean }[]> =>
  ctx.db.query(
    sql<{ id: number; is_removed: boolean; is_at_rest: boolean }>`
      select d.id, e.removed_at is not null as is_removed, d.state in ('done', 'failed') as is_at_rest
      from deliveries d join webhook_endpoints e on e.restaurant_id = d.restaurant_id and e.id = d.endpoint_id
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(${ids}::bigint[])`,
  );

export const restartFailed = (ctx: Ctx, endpointId: number, since: Date): Promise<{ id: number }[]> =>
  ctx.db.query(
    sql<{ id: number }>`${restarted(ctx, sql`d.endpoint_id = ${endpointId} and d.state = 'failed' and d.created_at >= ${since}`)}`,
  );

const restarted = (ctx: Ctx, which: ReturnType<typeof sql>) => sql`
  update deliveries d set state = case when e.is_paused then 'held' else 'ready' end,
    due_at = case when e.is_paused then null else ${ctx.now}::timestamptz end, cycle = d.cycle + 1, attempts = 0, updated_at = ${ctx.now}
  from (select id, is_paused from webhook_endpoints where restaurant_id = ${ctx.tenant.id} and removed_at is null for key share) e
  where d.restaurant_id = ${ctx.tenant.id} and e.id = d.endpoint_id and ${which}
  returning d.id, d.endpoint_id, d.event_id`;

/**
 * Waiting ones only: one that is being sent is `ready` and is not sent a second time. With a fresh cycle, so that asking often does not
 * use up the attempts of the schedule. Rows that a worker or a pause is changing are skipped: they are not waiting any more.
 */
export const retryWaiting = (ctx: Ctx, which: { ids: readonly number[] } | { endpointId: number }): Promise<RestartedDelivery[]> =>
  ctx.db.query(
    sql<RestartedDelivery>`update deliveries d set state = 'ready', due_at = ${ctx.now}, cycle = d.cycle + 1, attempts = 0, updated_at = ${ctx.now}
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(array(
        select w.id from deliveries w where w.restaurant_id = ${ctx.tenant.id} and w.state = 'waiting'
          and ${"ids" in which ? sql`w.id = any(${which.ids}::bigint[])` : sql`w.endpoint_id = ${which.endpointId}`}
        order by w.due_at, w.id limit ${RETRY_DELIVERIES_MAX}::integer for update skip locked))
      returning d.id, d.endpoint_id, d.event_id`,
  );

export const countWaiting = async (ctx: Ctx, endpointId: number): Promise<number> =>
  (
    await only(
      ctx.db.query(
        sql<{ count: number }>`select count(*)::integer from deliveries
          where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state = 'waiting'`,
      ),
    )
  ).count;

export const countFailed = async (ctx: Ctx, endpointId: number, since: Date): Promise<number> =>
  (
    await only(
      ctx.db.query(
        sql<{ count: number }>`select count(*)::integer from deliveries
          where restaurant_id = ${ctx.tenant.id} and endpoint_id = ${endpointId} and state = 'failed' and created_at >= ${since}`,
      ),
    )
  ).count;

export type DeliveryFilter = { endpointId?: number; state?: string; type?: string; eventId?: string; beforeId?: number };

export type DeliveryRow = {
  id: number;
  endpoint_id: number;
  url: string;
  event_id: string;
  event_type: string;
  state: "ready" | "waiting" | "held" | "done" | "failed";
  cycle: number;
  attempts: number;
  due_at: Date | null;
  last_status: number | null;
  last_failure: string | null;
  last_duration_ms: number | null;
  created_at: Date;
  updated_at: Date;
};

/** The newest first; ids grow with time. */
export const listDeliveries = (ctx: Ctx, filter: DeliveryFilter, rowCount: number): Promise<DeliveryRow[]> =>
  ctx.db.query(
    sql<DeliveryRow>`select d.id, d.endpoint_id, e.url, d.event_id, d.event_type, d.state, d.cycle, d.attempts, d.due_at, d.last_status,
        d.last_failure, d.last_duration_ms, d.created_at, d.updated_at
      from deliveries d join webhook_endpoints e on e.restaurant_id = d.restaurant_id and e.id = d.endpoint_id
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(array(${newestIds(ctx, filter, rowCount)}))
      order by d.id desc limit ${rowCount}::integer`,
  );

/**
 * Which deliveries are listed. Each state and type is looked up by itself, because an index has only one order; so a search for what is
 * rare does not read what is frequent. One event has few deliveries, so theirs are simply compared.
 */
const newestIds = (ctx: Ctx, { endpointId, state, type, eventId, beforeId }: DeliveryFilter, rowCount: number) => {
  const newest = (more: readonly RawBuilder<unknown>[]) => {
    const conditions = [
      sql`restaurant_id = ${ctx.tenant.id}`,
      ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
      ...(beforeId === undefined ? [] : [sql`id < ${beforeId}`]),
      ...more,
    ];
    return sql`select id from deliveries where ${sql.join(conditions, sql` and `)} order by id desc limit ${rowCount}::integer`;
  };
  const compared = [...(state === undefined ? [] : [sql`state = ${state}`]), ...(type === undefined ? [] : [sql`event_type = ${type}`])];
  if (eventId !== undefined) return newest([sql`event_id = ${eventId}::uuid`, ...compared]);
  if (compared.length === 0) return newest([]);
  const [states, types] = [state === undefined ? DELIVERY_STATES : [state], type === undefined ? EVENT_TYPES : [type]];
  return sql`select newest.id from unnest(${states}::text[]) one_state, unnest(${types}::text[]) one_type,
      lateral (${newest([sql`state = one_state`, sql`event_type = one_type`])}) newest
    order by newest.id desc limit ${rowCount}::integer`;
};

export type AttemptRow = {
  cycle: number;
  attempt: number;
  at: Date;
  status: number | null;
  duration_ms: number;
  failure: string | null;
  answer: string;
};

export const listAttempts = (ctx: Ctx, deliveryId: number): Promise<AttemptRow[]> =>
  ctx.db.query(
    sql<AttemptRow>`select cycle, attempt, at, status, duration_ms, failure, answer from delivery_attempts
      where restaurant_id = ${ctx.tenant.id} and delivery_id = ${deliveryId} order by cycle, attempt`,
  );

export const findDelivery = (ctx: Ctx, id: number): Promise<(DeliveryRow & { body: string }) | undefined> =>
  first(
    ctx.db.query(
      sql<
        DeliveryRow & { body: string }
      >`select d.id, d.endpoint_id, e.url, d.event_id, d.event_type, d.state, d.cycle, d.attempts, d.due_at,
          d.last_status, d.last_failure, d.last_duration_ms, d.created_at, d.updated_at, v.body
        from deliveries d join webhook_endpoints e on e.restaurant_id = d.restaurant_id and e.id = d.endpoint_id
        join events v on v.restaurant_id = d.restaurant_id and v.id = d.event_id
        where d.restaurant_id = ${ctx.tenant.id} and d.id = ${id}`,
    ),
  );

/** A receiver may have echoed what it was sent. */
export const blankAnswers = (ctx: Ctx, eventIds: string[]): void =>
  ctx.db.later(sql`
    update delivery_attempts a set answer = '' from deliveries d
    where a.restaurant_id = ${ctx.tenant.id} and d.restaurant_id = a.restaurant_id and d.id = a.delivery_id
      and d.event_id = any(${eventIds}::uuid[]) and a.answer <> ''`);
