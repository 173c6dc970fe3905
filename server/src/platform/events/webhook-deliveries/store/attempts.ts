/** Attempts: their results, and what the receivers answered. */
import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { NextAttempt } from "../rules/retry-schedule.ts";
import type { DueDelivery } from "./queue.ts";

export type AttemptRecord = NextAttempt & {
  id: number;
  cycle: number;
  attempt: number;
  at: Date;
  status: number | null;
  duration_ms: number;
  failure: string | null;
  answer: string;
  /** Checksum of the bytes that were sent; null when the answer is empty. */
  sent: string | null;
};

/**
 * Compare and set on cycle and attempts: a worker that comes late changes nothing and logs nothing. `d.id = any(…)` repeats
 * the join, so that PostgreSQL finds the rows by their key however many others the restaurant has. A delivery that failed
 * while its endpoint was paused stays held. The answer is left out when the event's bytes changed since they were sent: its
 * guest was erased, and the receiver may have echoed personal data.
 */
export const recordAttempts = (ctx: Ctx, endpointId: number, attempts: readonly AttemptRecord[]): void =>
  ctx.db.defer(sql`
    with moved as (
      update deliveries d set state = case when d.state = 'held' and m.state = 'waiting' then 'held' else m.state end,
        due_at = case when d.state = 'held' then null else m.due_at end, attempts = m.attempt, last_status = m.status,
        last_failure = m.failure, last_duration_ms = m.duration_ms, updated_at = ${realNow(ctx)}
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

/** Counts no attempt: nothing was sent. */
export const postponeDeliveries = (ctx: Ctx, deliveries: readonly DueDelivery[], dueAt: Date): void =>
  ctx.db.defer(sql`
    update deliveries d set state = 'waiting', due_at = ${dueAt}, last_failure = 'secret', updated_at = ${realNow(ctx)}
    from jsonb_to_recordset(${JSON.stringify(deliveries.map(({ id, cycle, attempts }) => ({ id, cycle, attempts })))}::jsonb)
      as m (id bigint, cycle integer, attempts integer)
    where d.restaurant_id = ${ctx.tenant.id} and d.id = any(${deliveries.map(({ id }) => id)}::bigint[])
      and d.id = m.id and d.cycle = m.cycle and d.attempts = m.attempts and d.state = 'ready'`);

/** Counts no attempt and is no failure: a fault of the sandbox sends it later. */
export const delayDelivery = (ctx: Ctx, { id, cycle, attempts }: DueDelivery, dueAt: Date): void =>
  ctx.db.defer(sql`
    update deliveries set state = 'waiting', due_at = ${dueAt}, updated_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and id = ${id} and cycle = ${cycle} and attempts = ${attempts} and state = 'ready'`);

/** Releases the given deliveries that were never sent and wait. */
export const releaseDelayed = (ctx: Ctx, endpointId: number, ids: readonly number[]): void =>
  ctx.db.defer(sql`
    update deliveries set state = 'ready', due_at = ${realNow(ctx)}
    where restaurant_id = ${ctx.tenant.id} and id = any(${[...ids]}::bigint[]) and endpoint_id = ${endpointId} and state = 'waiting' and attempts = 0`);

/** A receiver may have echoed the event. */
export const eraseAnswersTo = (ctx: Ctx, eventIds: string[]): void =>
  ctx.db.defer(sql`
    update delivery_attempts a set answer = '' from deliveries d
    where a.restaurant_id = ${ctx.tenant.id} and d.restaurant_id = a.restaurant_id and d.id = a.delivery_id
      and d.event_id = any(${eventIds}::uuid[]) and a.answer <> ''`);
