import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { first, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

export type WaitingRow = Omit<Row<"waitlist_entries">, "restaurant_id" | "ended_at" | "reservation_id">;

const WAITING_MS_MAX = 12 * 60 * 60 * 1000;

const WAITING = sql`
  select id, branch_id, guest_id, name, phone, party_size, note, quoted_minutes, version, added_at, notified_at from waitlist_entries`;

/** The party that has waited longest comes first. A party of the evening before does not wait any more. */
export const listWaiting = (ctx: Ctx, rowCount: number): Promise<WaitingRow[]> =>
  ctx.db.query(
    sql<WaitingRow>`${WAITING} where restaurant_id = ${ctx.tenant.id} and ended_at is null
      and added_at > ${new Date(ctx.now.getTime() - WAITING_MS_MAX)} order by added_at, id limit ${rowCount}`,
  );

/** Undefined when the party no longer waits. */
export const lockWaiting = (ctx: Ctx, id: string): Promise<WaitingRow | undefined> =>
  first(ctx.db.query(sql<WaitingRow>`${WAITING} where restaurant_id = ${ctx.tenant.id} and id = ${id} and ended_at is null for update`));

export const insertWaiting = (ctx: Ctx, row: WaitingRow): void => insertRows(ctx, "waitlist_entries", [{ ...row }]);

export const markNotified = (ctx: Ctx, id: string): void =>
  ctx.db.defer(sql`
    update waitlist_entries set notified_at = ${ctx.now}, version = version + 1 where restaurant_id = ${ctx.tenant.id} and id = ${id}::uuid`);

export const endWaiting = (ctx: Ctx, id: string, reservationId: string | null): void =>
  ctx.db.defer(sql`
    update waitlist_entries set ended_at = ${ctx.now}, reservation_id = ${reservationId}::uuid, version = version + 1
    where restaurant_id = ${ctx.tenant.id} and id = ${id}::uuid`);

export const listWaitingOfGuests = (ctx: Ctx, guestIds: readonly number[]): Promise<WaitingRow[]> =>
  ctx.db.query(sql<WaitingRow>`${WAITING}
    where restaurant_id = ${ctx.tenant.id} and guest_id = any (${[...guestIds]}::bigint[]) order by added_at, id`);

/** Two guests were merged. */
export const updateWaitingGuest = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`update waitlist_entries set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);

/** Returns their entries. */
export const clearWaiting = (ctx: Ctx, guestIds: readonly number[], name: string): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update waitlist_entries set name = ${name}, phone = '', note = null, version = version + 1
    where restaurant_id = ${ctx.tenant.id} and guest_id = any (${[...guestIds]}::bigint[]) returning id`);
