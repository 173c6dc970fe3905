/** Bookings as the host sees them: with tables, presence, deposit and visits. */
import type { DayBooking } from "@comanda/contract/console/bookings.ts";
import type { Ctx } from "#lib/context.ts";
import { type CalendarDate, formatDate } from "#lib/instant.ts";
import { serviceDay, serviceDaySpan } from "#lib/service-day.ts";
import { listVisitCounts } from "#venue/guests/service.ts";
import { sumDeposits } from "#venue/orders/payments/service.ts";
import { presentDayBooking } from "../present.ts";
import { listDayRows, listReservationsById, listTablesOf, type ReservationRow } from "../store.ts";

const withFacts = async (ctx: Ctx, rows: readonly ReservationRow[]): Promise<DayBooking[]> => {
  const ids = rows.map(({ id }) => id);
  const guestIds = rows.flatMap(({ guest_id }) => guest_id ?? []);
  const [tables, paid, visits] = await Promise.all([listTablesOf(ctx, ids), sumDeposits(ctx, ids), listVisitCounts(ctx, guestIds)]);
  return rows.map((row) =>
    presentDayBooking(row, ctx.tenant.zone, {
      tableIds: tables.get(row.id) ?? (row.table_id === null ? [] : [row.table_id]),
      paidMinor: paid.get(row.id) ?? 0,
      visits: row.guest_id === null ? 0 : (visits.get(row.guest_id) ?? 0),
    }),
  );
};

/** Reads the bookings of one day of service, with parties of another day that are still here. */
export const readDayBookings = async (ctx: Ctx, day: CalendarDate, rowCount: number): Promise<DayBooking[]> => {
  const date = formatDate(day);
  const { zone } = ctx.tenant;
  const span = serviceDaySpan(zone, date);
  return span === null ? [] : withFacts(ctx, await listDayRows(ctx, { date, span, isToday: date === serviceDay(zone, ctx.now) }, rowCount));
};

export const readBookingsById = async (ctx: Ctx, ids: readonly string[]): Promise<DayBooking[]> =>
  withFacts(ctx, await listReservationsById(ctx, ids));
