/** Bookings as the host sees them: with tables, presence, deposit and visits. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import type { Ctx } from "#lib/context.ts";
import { type CalendarDate, formatDate, startOfDay } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { readVisitCounts } from "#venue/guests/service.ts";
import { readPaidDeposits } from "#venue/payments/service.ts";
import { presentDayBooking } from "../present.ts";
import { listDayRows, listReservationsById, listTablesOf, type ReservationRow } from "../store.ts";

const withFacts = async (ctx: Ctx, rows: readonly ReservationRow[]): Promise<DayBooking[]> => {
  const ids = rows.map(({ id }) => id);
  const guestIds = rows.flatMap(({ guest_id }) => guest_id ?? []);
  const [tables, paid, visits] = await Promise.all([listTablesOf(ctx, ids), readPaidDeposits(ctx, ids), readVisitCounts(ctx, guestIds)]);
  return rows.map((row) =>
    presentDayBooking(row, ctx.tenant.zone, {
      tableIds: tables.get(row.id) ?? (row.table_id === null ? [] : [row.table_id]),
      paidMinor: paid.get(row.id) ?? 0,
      visits: row.guest_id === null ? 0 : (visits.get(row.guest_id) ?? 0),
    }),
  );
};

/** Of one day, with parties of another day that are still here. */
export const readDayBookings = async (ctx: Ctx, day: CalendarDate, rowCount: number): Promise<DayBooking[]> => {
  const date = formatDate(day);
  const isToday = date === formatDate(wallClock(ctx.tenant.zone, ctx.now));
  return withFacts(ctx, await listDayRows(ctx, { date, dayBegins: startOfDay(ctx.tenant.zone, day), isToday }, rowCount));
};

export const readBookingsById = async (ctx: Ctx, ids: readonly string[]): Promise<DayBooking[]> =>
  withFacts(ctx, await listReservationsById(ctx, ids));
