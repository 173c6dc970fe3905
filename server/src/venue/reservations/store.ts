import type { ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import { sql } from "kysely";
import { insertRows } from "#db/bulk-upsert.ts";
import { builder, first, oneRow, precompiled, type Row } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import type { TableOccupancy } from "./rules/tables.ts";

export type ReservationRow = Omit<Row<"reservations">, "restaurant_id" | "language" | "status"> & { status: ReservationStatus };

const RESERVATION = sql`
  select id, status, name, phone, email, party_size, date, time, starts_at, ends_at, branch_id, table_id, guest_id, note,
    deposit_minor, deposit_status, created_at, updated_at
  from reservations`;

/** Serializes reservations per venue and day. The exclusion constraint guarantees correctness; the lock avoids failed attempts. */
export const lockDay = (ctx: Ctx, date: string): void =>
  ctx.db.defer(sql`select pg_advisory_xact_lock(hashtextextended(${`booking ${ctx.tenant.id} ${date}`}, 0))`);

/** Tables occupied at any time between the two instants. */
const OCCUPIED_TABLES = precompiled(
  (tenantId: number, from: Date, to: Date) => sql<{ held: [tableId: number, fromSeconds: number, toSeconds: number][] }>`
    select coalesce(json_agg(json_build_array(table_id, date_part('epoch', lower(during)), date_part('epoch', upper(during)))), '[]') as held
    from reservation_tables where restaurant_id = ${tenantId} and during && tstzrange(${from}, ${to})`,
);

/** One JSON row: parsing hundreds of rows takes longer than finding them. */
export const listOccupancies = async (ctx: Ctx, from: Date, to: Date): Promise<TableOccupancy[]> => {
  const { held } = await oneRow(ctx.db.query(OCCUPIED_TABLES(ctx.tenant.id, from, to)));
  return held.map(([tableId, fromSeconds, toSeconds]) => ({
    tableId,
    fromMs: Math.round(fromSeconds * 1000),
    toMs: Math.round(toSeconds * 1000),
  }));
};

export const insertReservation = (ctx: Ctx, reservation: ReservationRow, tableIds: number[]): void => {
  insertRows(ctx, "reservations", [{ ...reservation }]);
  assignTables(ctx, reservation, tableIds);
};

export const assignTables = (ctx: Ctx, { id, starts_at, ends_at }: ReservationRow, tableIds: number[]): void => {
  if (tableIds.length > 0)
    ctx.db.defer(sql`
      insert into reservation_tables (restaurant_id, reservation_id, table_id, during)
      select ${ctx.tenant.id}::bigint, ${id}::uuid, table_id, tstzrange(${starts_at}, ${ends_at})
      from unnest(${tableIds}::bigint[]) as held (table_id)`);
};

export const releaseTables = (ctx: Ctx, reservationId: string): void =>
  ctx.db.defer(sql`delete from reservation_tables where restaurant_id = ${ctx.tenant.id} and reservation_id = ${reservationId}::uuid`);

export const findReservation = (ctx: Ctx, id: string): Promise<ReservationRow | undefined> =>
  first(ctx.db.query(sql<ReservationRow>`${RESERVATION} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

export const lockReservation = (ctx: Ctx, id: string): Promise<ReservationRow | undefined> =>
  first(ctx.db.query(sql<ReservationRow>`${RESERVATION} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

export type ReservationChange = Partial<
  Pick<
    ReservationRow,
    "status" | "deposit_status" | "party_size" | "date" | "time" | "starts_at" | "ends_at" | "branch_id" | "table_id" | "note"
  >
>;

export const updateReservation = (ctx: Ctx, { id, status }: ReservationRow, change: ReservationChange): void =>
  ctx.db.defer(
    builder
      .updateTable("reservations")
      .set({ ...change, updated_at: ctx.now })
      .where("restaurant_id", "=", ctx.tenant.id)
      .where("id", "=", id)
      .where("status", "=", status),
  );

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
    update reservations set name = ${name}, phone = '', email = null, note = null, updated_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and guest_id = ${guestId} returning id`);
