/** The reservations of one guest: for the profile, a merge, an export and an erasure. */
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { presentReservation } from "../present.ts";
import {
  clearBooker,
  findReservation,
  keepReservation,
  listHandedBookings,
  listReservationsOfGuest,
  lockReservationsOfGuest,
  updateReservationGuest,
} from "../store.ts";

export { findReservation, keepReservation, listHandedBookings, listReservationsOfGuest, lockReservationsOfGuest, updateReservationGuest };

const EXPORTED_MAX = 100_000;

/** Returns the ids of the guest's reservations. */
export const eraseBooker = async (ctx: Ctx, guestId: number, name: string): Promise<string[]> =>
  (await clearBooker(ctx, guestId, name)).map(({ id }) => id);

export const readWholeReservationsOfGuest = async (ctx: Ctx, guestId: number): Promise<Reservation[]> =>
  (await listReservationsOfGuest(ctx, guestId, EXPORTED_MAX)).map((row) => presentReservation(row, ctx.tenant.zone));
