/** Tickets of a guest: on the profile, in an export, blanked by an erasure, moved by a merge. */
import type { Ctx } from "#lib/context.ts";
import { presentWholeBooking } from "../present.ts";
import { eraseTicketBuyers, listBookingsOfGuests, listTicketsOfGuest, updateTicketsGuest } from "../store/bookings.ts";

export { eraseTicketBuyers, listTicketsOfGuest, updateTicketsGuest };

export const readWholeTicketsOfGuests = async (ctx: Ctx, guestIds: readonly number[]) =>
  (await listBookingsOfGuests(ctx, guestIds)).map(presentWholeBooking);
