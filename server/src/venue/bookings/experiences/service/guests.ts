/** Tickets of a guest: on the profile, in an export, blanked by an erasure, moved by a merge. */
import type { Ctx } from "#lib/context.ts";
import { presentWholeBooking } from "../present.ts";
import {
  clearBookings,
  type GuestExperienceRow,
  listBookingsOfGuest,
  listBookingsOfGuests,
  updateBookingsGuest,
} from "../store/bookings.ts";

/** The latest first. */
export const readTicketsOfGuest = (ctx: Ctx, guestId: number, rowCount: number): Promise<GuestExperienceRow[]> =>
  listBookingsOfGuest(ctx, guestId, rowCount);

export const readWholeTicketsOfGuests = async (ctx: Ctx, guestIds: readonly number[]) =>
  (await listBookingsOfGuests(ctx, guestIds)).map(presentWholeBooking);

/** Returns their bookings with the payments. The seats stay sold. A payment that is being recorded is waited for. */
export const eraseTicketBuyers = (
  ctx: Ctx,
  guestIds: readonly number[],
  name: string,
): Promise<{ id: number; payment_id: number | null }[]> => clearBookings(ctx, guestIds, name);

/** Two guests were merged. */
export const moveTicketsToGuest = (ctx: Ctx, from: number, into: number): void => updateBookingsGuest(ctx, from, into);
