import { ANSWER_FAULTS, type AnswerFault, WEBHOOK_FAULTS, type WebhookFault } from "@comanda/contract/sandbox/sandbox-operations.ts";
import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import type { NamedFault, NewFaults } from "./rules.ts";

/** One row for each time that the fault is to be taken, behind those that wait. */
export const insertFaults = (ctx: Ctx, { fault, operation, duration_ms, count }: NewFaults, expiresAt: Date): void =>
  ctx.db.defer(sql`
    insert into sandbox_faults (restaurant_id, number, fault, operation, duration_ms, expires_at)
    select ${ctx.tenant.id}, coalesce((select max(number) from sandbox_faults where restaurant_id = ${ctx.tenant.id}), 0) + n,
      ${fault}, ${operation}, ${duration_ms}, ${expiresAt}
    from generate_series(1, ${count}::integer) n`);

export const deleteExpired = (ctx: Ctx): void =>
  ctx.db.defer(sql`delete from sandbox_faults where restaurant_id = ${ctx.tenant.id} and expires_at <= ${realNow(ctx)}`);

export type WaitingFaults = { fault: NamedFault; operation: string | null; left: number };

export const listFaults = (ctx: Ctx): Promise<WaitingFaults[]> =>
  ctx.db.query(sql<WaitingFaults>`
    select fault, operation, count(*)::integer as left from sandbox_faults
    where restaurant_id = ${ctx.tenant.id} and delivery_id is null and expires_at > ${realNow(ctx)}
    group by fault, operation order by min(number)`);

export type TakenFault = { fault: AnswerFault; duration_ms: number };

/** The request that deletes the row has taken the fault. A row that another request is just taking is left to it. */
export const takeForAnswer = (ctx: Ctx, operation: string): Promise<TakenFault | undefined> =>
  first(
    ctx.db.query(sql<TakenFault>`
      delete from sandbox_faults where restaurant_id = ${ctx.tenant.id} and number = (
        select number from sandbox_faults
        where restaurant_id = ${ctx.tenant.id} and fault = any(${[...ANSWER_FAULTS]}::text[]) and expires_at > ${realNow(ctx)}
          and (operation is null or operation = ${operation})
        order by number limit 1 for update skip locked)
      returning fault, duration_ms`),
  );

export type DeliveryFault = { delivery_id: number; fault: WebhookFault; duration_ms: number };

/** Each delivery that has none takes one, in their order. The row names it from then on. */
export const takeForDeliveries = (ctx: Ctx, ids: readonly number[]): Promise<DeliveryFault[]> =>
  ctx.db.query(sql<DeliveryFault>`
    with wanting as (
      select w.id, row_number() over (order by w.place) as place from unnest(${[...ids]}::bigint[]) with ordinality w (id, place)
      where not exists (select from sandbox_faults m where m.restaurant_id = ${ctx.tenant.id} and m.delivery_id = w.id)
    ), free as (
      select number from sandbox_faults
      where restaurant_id = ${ctx.tenant.id} and fault = any(${[...WEBHOOK_FAULTS]}::text[]) and delivery_id is null
        and expires_at > ${realNow(ctx)}
      order by number limit ${ids.length} for update skip locked
    ), numbered as (select number, row_number() over (order by number) as place from free)
    update sandbox_faults f set delivery_id = w.id from numbered n join wanting w on w.place = n.place
    where f.restaurant_id = ${ctx.tenant.id} and f.number = n.number
    returning f.delivery_id, f.fault, f.duration_ms`);

export const listOfDeliveries = (ctx: Ctx, ids: readonly number[]): Promise<DeliveryFault[]> =>
  ctx.db.query(sql<DeliveryFault>`
    select delivery_id, fault, duration_ms from sandbox_faults
    where restaurant_id = ${ctx.tenant.id} and delivery_id = any(${[...ids]}::bigint[])`);

export const listSwapped = (ctx: Ctx): Promise<{ delivery_id: number }[]> =>
  ctx.db.query(sql<{ delivery_id: number }>`
    select delivery_id from sandbox_faults where restaurant_id = ${ctx.tenant.id} and fault = 'swapped' and delivery_id is not null`);
