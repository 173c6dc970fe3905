import { sql } from "kysely";
import { first } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** What is rated: an order, or the visit of a reservation. */
export type RatedSubject = { order_id: string; reservation_id: null } | { order_id: null; reservation_id: string };

type ReviewRequestRow = { id: number; order_id: string | null; reservation_id: string | null; due_at: Date };
export type DueRequest = RatedSubject & Pick<ReviewRequestRow, "id" | "due_at">;
export type SentRequest = RatedSubject & { id: number; state: "waiting" | "sent" | "used" | "skipped" | "ended"; expires_at: Date | null };

const DUE_AT = (overAt: Date) => sql`${overAt}::timestamptz + make_interval(mins => (s.reviews ->> 'wait_minutes')::integer)`;

/** Nothing where the owner has not switched it on. The statement reads the settings itself, so that nothing is waited for. */
export const insertRequest = (ctx: Ctx, { order_id, reservation_id }: RatedSubject, overAt: Date): void =>
  ctx.db.defer(sql`
    insert into review_requests (restaurant_id, order_id, reservation_id, due_at)
    select s.restaurant_id, ${order_id}::uuid, ${reservation_id}::uuid, ${DUE_AT(overAt)}
    from settings s where s.restaurant_id = ${ctx.tenant.id} and (s.reviews ->> 'is_on')::boolean
    on conflict do nothing`);

/** Changes a request that was not sent yet. */
export const updateDueTime = (ctx: Ctx, reservationId: string, overAt: Date): void =>
  ctx.db.defer(sql`
    update review_requests r set due_at = ${DUE_AT(overAt)} from settings s
    where r.restaurant_id = ${ctx.tenant.id} and r.reservation_id = ${reservationId}::uuid and r.state = 'waiting'
      and s.restaurant_id = r.restaurant_id`);

/** The longest due first. */
export const listDueRequests = (ctx: Ctx, rowCount: number): Promise<DueRequest[]> =>
  ctx.db.query(sql<DueRequest>`
    select id, order_id, reservation_id, due_at from review_requests
    where restaurant_id = ${ctx.tenant.id} and state = 'waiting' and due_at <= ${ctx.now} order by due_at, id limit ${rowCount}`);

/** Compare and set: false when another process was faster, or the guest was erased. */
export const markRequestSent = async (ctx: Ctx, id: number, sent: { messageId: number; expiresAt: Date }): Promise<boolean> =>
  (
    await ctx.db.query(sql<{ id: number }>`
      update review_requests set state = 'sent', message_id = ${sent.messageId}, expires_at = ${sent.expiresAt}
      where restaurant_id = ${ctx.tenant.id} and id = ${id} and state = 'waiting' returning id`)
  ).length > 0;

export const postponeRequest = (ctx: Ctx, id: number, dueAt: Date): void =>
  ctx.db.defer(sql`
    update review_requests set due_at = ${dueAt} where restaurant_id = ${ctx.tenant.id} and id = ${id} and state = 'waiting'`);

export const skipRequest = (ctx: Ctx, id: number, reason: string): void =>
  ctx.db.defer(sql`
    update review_requests set state = 'skipped', skip_reason = ${reason}
    where restaurant_id = ${ctx.tenant.id} and id = ${id} and state = 'waiting'`);

const SENT = sql`select id, order_id, reservation_id, state, expires_at from review_requests`;

export const findSentRequest = (ctx: Ctx, messageId: number): Promise<SentRequest | undefined> =>
  first(ctx.db.query(sql<SentRequest>`${SENT} where restaurant_id = ${ctx.tenant.id} and message_id = ${messageId}`));

/** The lock is held until the commit: of two posts, the second one sees that the link was used. */
export const lockSentRequest = (ctx: Ctx, messageId: number): Promise<SentRequest | undefined> =>
  first(ctx.db.query(sql<SentRequest>`${SENT} where restaurant_id = ${ctx.tenant.id} and message_id = ${messageId} for update`));

export const markRequestUsed = (ctx: Ctx, id: number): void =>
  ctx.db.defer(sql`update review_requests set state = 'used' where restaurant_id = ${ctx.tenant.id} and id = ${id}`);

/** Waits for a review that is being written, so that the caller sees it afterwards. Locked in the order of ids. */
export const endRequestsOf = async (ctx: Ctx, ids: readonly string[]): Promise<void> => {
  await ctx.db.query(sql`
    with theirs as (
      select id from review_requests
      where restaurant_id = ${ctx.tenant.id} and (order_id = any (${[...ids]}::uuid[]) or reservation_id = any (${[...ids]}::uuid[]))
      order by id for update
    )
    update review_requests r set state = 'ended' from theirs where r.restaurant_id = ${ctx.tenant.id} and r.id = theirs.id and r.state <> 'used'`);
};
