import type { reservationOperations } from "@comanda/contract/venue/reservations.ts";
import type { Handlers } from "#http/api/operations.ts";
import { cutPage, presentPage, readPage } from "#http/api/pagination.ts";
import { one } from "#http/reply.ts";
import { because } from "#lib/errors.ts";
import { presentReservation } from "./present.ts";
import { findReservationForChange, makeReservation, readAvailability, readReservation } from "./service/bookings.ts";
import { moveReservation } from "./service/changes.ts";
import { listReservationRows } from "./store.ts";

export const reservationRoutes: Pick<Handlers, keyof typeof reservationOperations> = {
  listReservations: async (ctx, { query }) => {
    const { per_page, cursor, ...filter } = query();
    const isReversed = filter.from && filter.to && filter.from > filter.to;
    const request = readPage(
      ctx,
      "reservations",
      { per_page, cursor },
      isReversed ? { to: [because("Lies before from.", "reversed_range", { start: "from" })] } : {},
    );
    const [date, time, id] = (request.position?.keys ?? []) as [string, string, string];
    const position = request.position && { date, time, id, isBackwards: request.position.direction === "prev" };
    const rows = await listReservationRows(ctx, filter, position, request.perPage + 1);
    const page = cutPage(ctx, "reservations", request, { rows, keysOf: (row) => [row.date, row.time, row.id] });
    return presentPage(
      page.rows.map((row) => presentReservation(row, ctx.tenant.zone)),
      page,
      request.perPage,
      {},
    );
  },

  createReservation: async (ctx, { body }) => {
    const reservation = await makeReservation(ctx, body());
    return { ...one(reservation), location: `/reservations/${reservation.id}` };
  },

  getAvailability: async (ctx, { query }) => {
    const { date, party_size } = query();
    return one(await readAvailability(ctx, date, party_size));
  },

  getReservation: async (ctx, { params }) => one(await readReservation(ctx, params.uuid)),

  cancelReservation: async (ctx, { params }) => {
    const reservation = await findReservationForChange(ctx, params.uuid);
    return one(await moveReservation(ctx, reservation, "cancelled"));
  },
};
