import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { builder, first, oneRow, precompiled, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { HandedBooking } from "./rules/booking.ts";
import { UNDO_MS } from "./rules/presence.ts";
import type { Stay, TableOccupancy } from "./rules/tables.ts";

export type ReservationRow = Omit<Row<"reservations">, "restaurant_id" | "language" | "status" | "former_guest_ids"> & {
  status: ReservationStatus;
};

const RESERVATION = sql`
  select id, status, name, phone, email, party_size, date, time, starts_at, ends_at, branch_id, table_id, guest_id, note,
    deposit_minor, deposit_status, created_at, updated_at, version, is_walk_in, arrived_at, seated_at, left_at, no_show_at
  from reservations`;

const tablesLock = (ctx: Ctx) => sql`hashtextextended(${`booking ${ctx.tenant.id} tables`}, 0)`;

/**
 * Serializes reservations per venue and day. The exclusion constraint guarantees correctness; the lock avoids failed attempts. The shared
 * lock keeps the tables that are read next: none of them is removed before the commit.
 */
export const lockDay = (ctx: Ctx, date: string): void => {
  ctx.db.defer(sql`select pg_advisory_xact_lock_shared(${tablesLock(ctx)})`);
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`booking ${ctx.tenant.id} ${date}`}, 0))`);
};

/** Waits for every booking that is decided now, and keeps later ones waiting until the commit. */
export const lockTables = (ctx: Ctx): void => ctx.db.defer(sql`select pg_advisory_xact_lock(${tablesLock(ctx)})`);

/** Bookings to come and parties that are here, of each of these tables. Found by their day, as in `HELD_TABLES`. */
export const countBookingsOf = async (ctx: Ctx, tableIds: readonly number[]): Promise<Map<number, number>> => {
  const rows = await ctx.db.query(sql<{ table_id: number; bookings: number }>`
    select table_id, count(distinct reservation_id)::integer as bookings from (
      select h.table_id, h.reservation_id from reservations r
        join reservation_tables h on h.restaurant_id = r.restaurant_id and h.reservation_id = r.id
      where r.restaurant_id = ${ctx.tenant.id} and r.date >= (${ctx.now}::timestamptz - interval '2 days')::date and upper(h.during) > ${ctx.now}
      union all
      select table_id, reservation_id from reservation_tables where restaurant_id = ${ctx.tenant.id} and is_present
    ) held where table_id = any (${[...tableIds]}::bigint[]) group by table_id`);
  return new Map(rows.map(({ table_id, bookings }) => [table_id, bookings]));
};

/** Bookings to come and parties that are here, of each of these branches. Also bookings without a table. */
export const countBookingsOfBranches = async (ctx: Ctx, branchIds: readonly number[]): Promise<Map<number, number>> => {
  const rows = await ctx.db.query(sql<{ branch_id: number; bookings: number }>`
    select r.branch_id, count(*)::integer as bookings from reservations r
    where r.restaurant_id = ${ctx.tenant.id} and r.branch_id = any (${[...branchIds]}::bigint[])
      and r.date >= (${ctx.now}::timestamptz - interval '2 days')::date
      and r.status in ('pending', 'confirmed', 'seated') and r.left_at is null
      and (r.ends_at > ${ctx.now} or exists (
        select from reservation_tables h where h.restaurant_id = r.restaurant_id and h.reservation_id = r.id and h.is_present))
    group by r.branch_id`);
  return new Map(rows.map(({ branch_id, bookings }) => [branch_id, bookings]));
};

/** Finds a booking of any branch, including parties that are here. */
export const findBookingToCome = async (ctx: Ctx): Promise<boolean> => {
  const rows = await ctx.db.query(sql`
    select from reservations where restaurant_id = ${ctx.tenant.id} and date >= (${ctx.now}::timestamptz - interval '2 days')::date
      and status in ('pending', 'confirmed', 'seated') and left_at is null and ends_at > ${ctx.now} limit 1`);
  return rows.length > 0;
};

/** Counts the bookings of this date that are still to come. */
export const countBookingsOn = async (ctx: Ctx, branchId: number, date: string): Promise<number> =>
  (
    await oneRow(
      ctx.db.query(sql<{ bookings: number }>`
        select count(*)::integer as bookings from reservations
        where restaurant_id = ${ctx.tenant.id} and date = ${date}::date and branch_id = ${branchId}
          and status in ('pending', 'confirmed') and ends_at > ${ctx.now}`),
    )
  ).bookings;

type HeldTable = [tableId: number, fromSeconds: number, toSeconds: number, isPresent: boolean, reservationId: string | null];

/**
 * Tables held at any time between the two instants, and those at which a party sits. Bookings are found by their day, because under row
 * level security the index on the range cannot be used: its operator could reveal other rows.
 */
const HELD_TABLES = precompiled(
  (tenantId: number, from: Date, to: Date) => sql<{ held: HeldTable[] }>`
    select coalesce(json_agg(json_build_array(table_id, date_part('epoch', lower(during)), date_part('epoch', upper(during)), is_present,
      reservation_id)), '[]') as held
    from (
      select h.table_id, h.during, h.is_present, h.reservation_id from reservations r
        join reservation_tables h on h.restaurant_id = r.restaurant_id and h.reservation_id = r.id
      where r.restaurant_id = ${tenantId} and r.date between (${from}::timestamptz - interval '1 day')::date and (${to}::timestamptz + interval '1 day')::date
        and not h.is_present
      union all
      select table_id, during, is_present, reservation_id from reservation_tables where restaurant_id = ${tenantId} and block_id is not null
      union all
      select table_id, during, is_present, reservation_id from reservation_tables where restaurant_id = ${tenantId} and is_present
    ) held where is_present or during && tstzrange(${from}, ${to})`,
);

export const countTablesOfBlocks = async (ctx: Ctx): Promise<number> => {
  const { count } = await oneRow(
    ctx.db.query(sql<{ count: number }>`
      select count(*)::integer as count from reservation_tables where restaurant_id = ${ctx.tenant.id} and block_id is not null`),
  );
  return count;
};

export type HeldTables = TableOccupancy & { isPresent: boolean; reservationId: string | null };

/** One JSON row: parsing hundreds of rows takes longer than finding them. */
export const listHeldTables = async (ctx: Ctx, from: Date, to: Date): Promise<HeldTables[]> => {
  const { held } = await oneRow(ctx.db.query(HELD_TABLES(ctx.tenant.id, from, to)));
  return held.map(([tableId, fromSeconds, toSeconds, isPresent, reservationId]) => ({
    tableId,
    fromMs: Math.round(fromSeconds * 1000),
    toMs: Math.round(toSeconds * 1000),
    isPresent,
    reservationId,
  }));
};

export const insertReservation = (ctx: Ctx, reservation: ReservationRow, tableIds: number[]): void => {
  insertRows(ctx, "reservations", [{ ...reservation }]);
  assignTables(ctx, reservation, tableIds);
};

type TableHold = { reservationId: string } | { blockId: string };

const columnsOf = (hold: TableHold) =>
  "blockId" in hold ? { reservationId: null, blockId: hold.blockId } : { reservationId: hold.reservationId, blockId: null };

export type HeldSpan = { from: Date; to: Date; isPresent?: boolean };

/** A constraint refuses a table that is held then by anything else. */
export const holdTables = (ctx: Ctx, hold: TableHold, tableIds: readonly number[], { from, to, isPresent = false }: HeldSpan): void => {
  if (tableIds.length === 0) return;
  const { reservationId, blockId } = columnsOf(hold);
  ctx.db.defer(sql`
    insert into reservation_tables (restaurant_id, reservation_id, block_id, table_id, during, is_present)
    select ${ctx.tenant.id}::bigint, ${reservationId}::uuid, ${blockId}::uuid, table_id, tstzrange(${from}, ${to}), ${isPresent}
    from unnest(${[...tableIds]}::bigint[]) as held (table_id)`);
};

export const assignTables = (ctx: Ctx, { id, starts_at, ends_at }: ReservationRow, tableIds: number[]): void =>
  holdTables(ctx, { reservationId: id }, tableIds, { from: starts_at, to: ends_at });

/** The party sits down. It may come before its time or after it. */
export const markPresent = (ctx: Ctx, reservationId: string, { startsAt, endsAt }: Stay): void =>
  ctx.db.defer(sql`
    update reservation_tables set is_present = true, during = tstzrange(${startsAt}, ${endsAt})
    where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId}::uuid`);

/** The party is gone: its tables are free from now on. */
export const markGone = (ctx: Ctx, reservationId: string): void =>
  ctx.db.defer(sql`
    update reservation_tables
    set is_present = false,
      during = tstzrange(lower(during), greatest(least(upper(during), ${ctx.now}), lower(during) + interval '1 millisecond'))
    where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId}::uuid`);

/** The tables are free from now on. Which ones they were stays known for a party that comes late. */
export const freeTables = (ctx: Ctx, reservationId: string): void =>
  ctx.db.defer(sql`
    with unused as (
      delete from reservation_tables
      where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId}::uuid and lower(during) >= ${ctx.now}
    )
    update reservation_tables set during = tstzrange(lower(during), least(upper(during), ${ctx.now}))
    where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId}::uuid and lower(during) < ${ctx.now}`);

export const releaseBlocks = (ctx: Ctx, blockIds: readonly string[]): void =>
  ctx.db.defer(sql`delete from reservation_tables where restaurant_id = ${ctx.tenant.id} and block_id = any (${[...blockIds]}::uuid[])`);

/** The tables of each block in a span. */
export const listBlockedTables = async (ctx: Ctx, from: Date, to: Date): Promise<Map<string, number[]>> => {
  const rows = await ctx.db.query(sql<{ block_id: string; table_ids: number[] }>`
    select block_id, json_agg(table_id order by table_id) as table_ids from reservation_tables
    where restaurant_id = ${ctx.tenant.id} and block_id is not null and during && tstzrange(${from}, ${to}) group by block_id`);
  return new Map(rows.map(({ block_id, table_ids }) => [block_id, table_ids]));
};

/** The tables that each of these reservations holds. */
export const listTablesOf = async (ctx: Ctx, reservationIds: readonly string[]): Promise<Map<string, number[]>> => {
  const rows = await ctx.db.query(sql<{ reservation_id: string; table_ids: number[] }>`
    select reservation_id, json_agg(table_id order by table_id) as table_ids from reservation_tables
    where restaurant_id = ${ctx.tenant.id} and reservation_id = any (${[...reservationIds]}::uuid[]) group by reservation_id`);
  return new Map(rows.map(({ reservation_id, table_ids }) => [reservation_id, table_ids]));
};

export const releaseTables = (ctx: Ctx, reservationId: string): void =>
  ctx.db.defer(sql`delete from reservation_tables where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId}::uuid`);

/** A review needs who came, and how to reach them. */
export const findReservation = (ctx: Ctx, id: string): Promise<ReservationRow | undefined> =>
  first(ctx.db.query(sql<ReservationRow>`${RESERVATION} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

/** The lock that a foreign key takes later anyway. Taken first, it is in the order of locks. */
export const keepReservation = async (ctx: Ctx, id: string): Promise<void> => {
  await ctx.db.query(sql`select from reservations where restaurant_id = ${ctx.tenant.id} and id = ${id} for key share`);
};

export const lockReservation = (ctx: Ctx, id: string): Promise<ReservationRow | undefined> =>
  first(ctx.db.query(sql<ReservationRow>`${RESERVATION} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

export type ReservationChange = Partial<
  Pick<
    ReservationRow,
    | "status"
    | "deposit_minor"
    | "deposit_status"
    | "party_size"
    | "date"
    | "time"
    | "starts_at"
    | "ends_at"
    | "branch_id"
    | "table_id"
    | "note"
    | "name"
    | "phone"
    | "email"
    | "guest_id"
    | "seated_at"
    | "no_show_at"
    | "arrived_at"
  >
>;

const NEXT_VERSION = sql<number>`version + 1`;

export const updateReservation = (ctx: Ctx, { id, status }: ReservationRow, change: ReservationChange): void =>
  ctx.db.defer(
    builder
      .updateTable("reservations")
      .set({ ...change, updated_at: ctx.now, version: NEXT_VERSION })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("status", "=", status),
  );

/** `updated_at` is in the API, and these are not, so it stays. */
export const updatePresence = (
  ctx: Ctx,
  { id, version }: ReservationRow,
  change: Partial<Pick<ReservationRow, "arrived_at" | "left_at">>,
): void =>
  ctx.db.defer(
    builder
      .updateTable("reservations")
      .set({ ...change, version: NEXT_VERSION })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("version", "=", version),
  );

/**
 * Bookings of a day of service, those after midnight included, and open ones of the evening before that reach into it. Today also the
 * parties that are still here, and those of the evening before whose last step can still be undone. Found by their dates, which the index has; they are of the clock that the
 * venue had when they were booked, so the days around are read as well.
 */
export const listDayRows = (
  ctx: Ctx,
  { date, span: { from, until }, isToday }: { date: string; span: { from: Date; until: Date }; isToday: boolean },
  rowCount: number,
): Promise<ReservationRow[]> =>
  ctx.db.query(sql<ReservationRow>`
    select * from (
      ${RESERVATION} where restaurant_id = ${ctx.tenant.id} and date between ${date}::date - 1 and ${date}::date + 2
        and starts_at >= ${from} and starts_at < ${until}
      union
      ${RESERVATION} where restaurant_id = ${ctx.tenant.id} and date between ${date}::date - 1 and ${date}::date
        and starts_at < ${from} and ends_at > ${from} and status in ('pending', 'confirmed')
      union
      ${RESERVATION} where restaurant_id = ${ctx.tenant.id} and ${isToday} and date between ${date}::date - 1 and ${date}::date
        and starts_at < ${from} and greatest(left_at, no_show_at) >= ${new Date(ctx.now.getTime() - UNDO_MS)}
      union
      ${RESERVATION} where restaurant_id = ${ctx.tenant.id} and ${isToday} and id = any (array(
        select reservation_id from reservation_tables where restaurant_id = ${ctx.tenant.id} and is_present))
    ) r order by starts_at, id limit ${rowCount}`);

export const listReservationsById = (ctx: Ctx, ids: readonly string[]): Promise<ReservationRow[]> =>
  ctx.db.query(sql<ReservationRow>`${RESERVATION}
    where restaurant_id = ${ctx.tenant.id} and id = any (${[...ids]}::uuid[]) order by date, time, id`);

export type PresentParty = { table_id: number; party_size: number; seated_at: Date };

export const listPresentParties = (ctx: Ctx): Promise<PresentParty[]> =>
  ctx.db.query(sql<PresentParty>`
    select h.table_id, r.party_size, coalesce(r.seated_at, r.starts_at) as seated_at from reservation_tables h
      join reservations r on r.restaurant_id = h.restaurant_id and r.id = h.reservation_id
    where h.restaurant_id = ${ctx.tenant.id} and h.is_present`);

/** When the last party left each table since then. */
export const listDepartures = async (ctx: Ctx, since: Date): Promise<Map<number, Date>> => {
  const rows = await ctx.db.query(sql<{ table_id: number; left_at: Date }>`
    select h.table_id, max(r.left_at) as left_at from reservations r
      join reservation_tables h on h.restaurant_id = r.restaurant_id and h.reservation_id = r.id
    where r.restaurant_id = ${ctx.tenant.id} and r.date >= (${since}::timestamptz - interval '2 days')::date and r.left_at >= ${since}
    group by h.table_id`);
  return new Map(rows.map(({ table_id, left_at }) => [table_id, left_at]));
};

export type TurnTime = { party_size: number; minutes: number };

/** How long parties really stayed lately: the newest first. */
export const listTurnTimes = (ctx: Ctx, since: Date, rowCount: number): Promise<TurnTime[]> =>
  ctx.db.query(sql<TurnTime>`
    select party_size, round(date_part('epoch', left_at - seated_at) / 60)::integer as minutes from reservations
    where restaurant_id = ${ctx.tenant.id} and date >= ${since} and left_at is not null and seated_at is not null
    order by date desc, time desc limit ${rowCount}`);

export type ReservationFilter = { date?: string; from?: string; to?: string; status?: ReservationStatus };
export type ReservationPosition = { date: string; time: string; id: string; isBackwards: boolean };

export const listReservationRows = (
  ctx: Ctx,
  filter: ReservationFilter,
  position: ReservationPosition | null,
  rowCount: number,
): Promise<ReservationRow[]> => {
  const conditions = [sql`restaurant_id = ${ctx.tenant.id}`];
  if (filter.date) conditions.push(sql`date = ${filter.date}::date`);
  if (filter.from) conditions.push(sql`date >= ${filter.from}::date`);
  if (filter.to) conditions.push(sql`date <= ${filter.to}::date`);
  if (filter.status) conditions.push(sql`status = ${filter.status}`);
  if (position) {
    const than = position.isBackwards ? sql`<` : sql`>`;
    conditions.push(sql`(date, time, id) ${than} (${position.date}::date, ${position.time}, ${position.id}::uuid)`);
  }
  const order = position?.isBackwards ? sql`date desc, time desc, id desc` : sql`date, time, id`;
  return ctx.db.query(sql<ReservationRow>`${RESERVATION} where ${sql.join(conditions, sql` and `)} order by ${order} limit ${rowCount}`);
};

export const clearBooker = (ctx: Ctx, guestId: number, name: string): Promise<{ id: string }[]> =>
  ctx.db.query(sql<{ id: string }>`
    update reservations set name = ${name}, phone = '', email = null, note = null, updated_at = ${ctx.now}, version = version + 1
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} returning id`);

/** The booking belongs to another guest from now on. */
export const rememberFormerGuest = (ctx: Ctx, reservationId: string, guestId: number): void =>
  ctx.db.defer(sql`
    update reservations set former_guest_ids = array_append(array_remove(former_guest_ids, ${guestId}::bigint), ${guestId}::bigint)
    where restaurant_id = ${ctx.tenant.id} and id = ${reservationId}::uuid`);

/** Lists bookings that belonged to one of these guests before, or belong to one of them now. */
export const listHandedBookings = (ctx: Ctx, guestIds: readonly number[]): Promise<HandedBooking[]> =>
  ctx.db.query(sql<HandedBooking>`
    select id, name, phone, guest_id from reservations
    where restaurant_id = ${ctx.tenant.id} and former_guest_ids <> '{}'
      and (former_guest_ids && ${[...guestIds]}::bigint[] or guest_id = any (${[...guestIds]}::bigint[]))`);

/** The latest first. A guest has few, so all of them are read by the guest and then sorted. */
export const listReservationsOfGuest = (ctx: Ctx, guestId: number, rowCount: number): Promise<ReservationRow[]> =>
  ctx.db.query(sql<ReservationRow>`
    with mine as materialized (${RESERVATION} where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId})
    select * from mine order by starts_at desc, id desc limit ${rowCount}`);

/** A merge locks the reservations before the guests, as every change of a reservation does. */
export const lockReservationsOfGuest = async (ctx: Ctx, guestId: number): Promise<void> => {
  await ctx.db.query(
    sql`select id from reservations where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} order by id for update`,
  );
};

/** No answer shows which profile a reservation belongs to, so `updated_at` stays. */
export const updateReservationGuest = async (ctx: Ctx, from: number, into: number): Promise<void> => {
  await ctx.db.query(sql`update reservations set guest_id = ${into} where restaurant_id = ${ctx.tenant.id} and guest_id = ${from}`);
};
