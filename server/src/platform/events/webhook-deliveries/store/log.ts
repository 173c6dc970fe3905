/** The delivery log. */
import { DELIVERY_STATES } from "@comanda/contract/console/webhooks.ts";
import { EVENT_TYPES } from "@comanda/contract/events/envelope.ts";
import { type RawBuilder, sql } from "kysely";
import { first, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type DeliveryFilter = { endpointId?: number; state?: string; type?: string; eventId?: string; beforeId?: number };

export type DeliveryLogRow = {
  id: number;
  endpoint_id: number;
  url: string;
  event_id: string;
  event_type: string;
  state: (typeof DELIVERY_STATES)[number];
  cycle: number;
  attempts: number;
  due_at: Date | null;
  last_status: number | null;
  last_failure: string | null;
  last_duration_ms: number | null;
  created_at: Date;
  updated_at: Date;
};

/** The newest first. */
export const listDeliveries = (ctx: Ctx, filter: DeliveryFilter, rowCount: number): Promise<DeliveryLogRow[]> =>
  ctx.db.query(
    sql<DeliveryLogRow>`select d.id, d.endpoint_id, e.url, d.event_id, d.event_type, d.state, d.cycle, d.attempts, d.due_at, d.last_status,
        d.last_failure, d.last_duration_ms, d.created_at, d.updated_at
      from deliveries d join webhook_endpoints e on e.restaurant_id = d.restaurant_id and e.id = d.endpoint_id
      where d.restaurant_id = ${ctx.tenant.id} and d.id = any(array(${newestIds(ctx, filter, rowCount)}))
      order by d.id desc limit ${rowCount}::integer`,
  );

/**
 * The ids of the newest deliveries. Each state and type is looked up on its own in the index, so that a search for rare ones
 * does not read the frequent ones. The deliveries of one event are few and are filtered.
 */
const newestIds = (ctx: Ctx, { endpointId, state, type, eventId, beforeId }: DeliveryFilter, rowCount: number) => {
  const newest = (more: readonly RawBuilder<unknown>[]) => {
    const conditions = [
      sql`restaurant_id = ${ctx.tenant.id}`,
      ...(endpointId === undefined ? [] : [sql`endpoint_id = ${endpointId}`]),
      // An array, so that PostgreSQL reads the tills once and not for each row.
      sql`endpoint_id <> all(array(select id from webhook_endpoints where restaurant_id = ${ctx.tenant.id} and kind = 'pos'))`,
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

export type AttemptRow = Pick<Row<"delivery_attempts">, "cycle" | "attempt" | "at" | "status" | "duration_ms" | "failure" | "answer">;

export const listAttempts = (ctx: Ctx, deliveryId: number): Promise<AttemptRow[]> =>
  ctx.db.query(
    sql<AttemptRow>`select cycle, attempt, at, status, duration_ms, failure, answer from delivery_attempts
      where restaurant_id = ${ctx.tenant.id} and delivery_id = ${deliveryId} order by cycle, attempt`,
  );

export const findDelivery = (ctx: Ctx, id: number): Promise<(DeliveryLogRow & { body: string }) | undefined> =>
  first(
    ctx.db.query(
      sql<
        DeliveryLogRow & { body: string }
      >`select d.id, d.endpoint_id, e.url, d.event_id, d.event_type, d.state, d.cycle, d.attempts, d.due_at,
          d.last_status, d.last_failure, d.last_duration_ms, d.created_at, d.updated_at, v.body
        from deliveries d join webhook_endpoints e on e.restaurant_id = d.restaurant_id and e.id = d.endpoint_id
        join events v on v.restaurant_id = d.restaurant_id and v.id = d.event_id
        where d.restaurant_id = ${ctx.tenant.id} and d.id = ${id} and e.kind = 'webhook'`,
    ),
  );

export type TillDelivery = Omit<DeliveryLogRow, "endpoint_id" | "url" | "event_id" | "event_type" | "cycle"> & { order_id: string };

/** Lists the deliveries of all tills that the venue has or had, the newest first. */
export const listTillDeliveries = (ctx: Ctx, rowCount: number): Promise<TillDelivery[]> =>
  ctx.db.query(
    sql<TillDelivery>`select d.id, v.body::jsonb #>> '{data,order,id}' as order_id, d.state, d.attempts, d.due_at, d.last_status, d.last_failure,
        d.last_duration_ms, d.created_at, d.updated_at
      from webhook_endpoints e cross join lateral (
        select l.* from deliveries l where l.restaurant_id = ${ctx.tenant.id} and l.endpoint_id = e.id order by l.id desc limit ${rowCount}::integer
      ) d join events v on v.restaurant_id = ${ctx.tenant.id} and v.id = d.event_id
      where e.restaurant_id = ${ctx.tenant.id} and e.kind = 'pos'
      order by d.id desc limit ${rowCount}::integer`,
  );
