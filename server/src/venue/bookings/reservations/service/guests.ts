/** The reservations of one guest: for the profile, a merge, an export and an erasure. */
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { presentReservation } from "../present.ts";
import type { HandedBooking } from "../rules/booking.ts";
import {
  clearBooker,
  findReservation,
  keepReservation,
  listHandedBookings,
  listReservationsOfGuest,
  lockReservationsOfGuest,
  type ReservationRow,
  updateReservationGuest,
} from "../store.ts";

const EXPORTED_MAX = 100_000;

/** Returns the ids of the guest's reservations. */
export const eraseBooker = async (ctx: Ctx, guestId: number, name: string): Promise<string[]> =>
  (await clearBooker(ctx, guestId, name)).map(({ id }) => id);

/** A review needs who came, and how to reach them. */
export const readRatedVisit = (ctx: Ctx, id: string): Promise<ReservationRow | undefined> => findReservation(ctx, id);

/** Runs before a review of the visit is written. */
export const keepRatedVisit = (ctx: Ctx, id: string): Promise<void> => keepReservation(ctx, id);

export const readReservationsOfGuest = (ctx: Ctx, guestId: number, rowCount: number): Promise<ReservationRow[]> =>
  listReservationsOfGuest(ctx, guestId, rowCount);

export const readWholeReservationsOfGuest = async (ctx: Ctx, guestId: number): Promise<Reservation[]> =>
  (await listReservationsOfGuest(ctx, guestId, EXPORTED_MAX)).map((row) => presentReservation(row, ctx.tenant.zone));

/** Bookings that staff gave from one guest to another, of which one is among these. */
export const readHandedBookings = (ctx: Ctx, guestIds: readonly number[]): Promise<HandedBooking[]> => listHandedBookings(ctx, guestIds);

/** A merge locks the reservations before the guests, as every change of a reservation does. */
export const lockReservationsOf = (ctx: Ctx, guestId: number): Promise<void> => lockReservationsOfGuest(ctx, guestId);

/** Two guests were merged. */
export const moveReservationsToGuest = (ctx: Ctx, from: number, into: number): Promise<void> => updateReservationGuest(ctx, from, into);
