/** A valid call for each booking operation. A cancel acts on a booking of its own. */
import type { reservationOperations } from "@comanda/contract/venue/reservations.ts";
import { dayAhead } from "../days.ts";
import type { MakeExample } from "../examples.ts";
import type { Venue } from "../target.ts";
import { book, bookingBody, listBookings } from "./bookings.ts";

const NOBODYS_BOOKING = "00000000-0000-4000-8000-000000000000";

export const reservationExamples: Record<keyof typeof reservationOperations, MakeExample> = {
  listReservations: async (venue) => {
    await someBookings(venue);
    return {};
  },
  createReservation: async (venue) => ({ body: await bookingBody(venue) }),
  getAvailability: async (venue) => ({ query: { date: dayAhead(venue, 20), party_size: 2 } }),
  getReservation: async (venue) => {
    await someBookings(venue);
    const [first] = (await listBookings(venue, { per_page: 1 })).data;
    return { params: { reservation: first?.id ?? NOBODYS_BOOKING } };
  },
  cancelReservation: async (venue) => ({ params: { reservation: (await book(venue)).id } }),
};

/** At least two, so that a list has a second page. A suspended venue accepts no bookings: it has only earlier ones. */
const someBookings = (venue: Venue): Promise<void> => {
  const known = prepared.get(venue.slug) ?? (venue.state === "active" ? bookTwo(venue) : Promise.resolve());
  prepared.set(venue.slug, known);
  return known;
};

const prepared = new Map<string, Promise<void>>();

const bookTwo = async (venue: Venue): Promise<void> => {
  for (let count = 0; count < 2; count++) await book(venue);
};
