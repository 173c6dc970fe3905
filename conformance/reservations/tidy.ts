/** A booking occupies its table, and a fully booked venue cannot be tested: so the kit cancels its bookings. */
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import { call } from "../client.ts";
import { activeVenues, lab, type Venue } from "../target.ts";

/** This phone number marks the kit's bookings outside the lab. */
export const KIT_PHONE = "+1 202-555-0188";

/** Runs before and after each run, because an earlier run may have failed. In the lab it cancels every open booking. */
export const cancelBookings = async (): Promise<void> => {
  for (const venue of activeVenues)
    for (const status of ["pending", "confirmed"]) {
      const own = (await open(venue, status)).filter(({ phone }) => venue === lab || phone === KIT_PHONE);
      for (let start = 0; start < own.length; start += AT_ONCE)
        await Promise.all(own.slice(start, start + AT_ONCE).map(({ id }) => call(venue.tokens.full, "POST", `/reservations/${id}/cancel`)));
    }
};

const AT_ONCE = 8;

type Listed = { data: Reservation[]; meta: { next_cursor: string | null } };

/** None where the plan has no bookings. */
const open = async (venue: Venue, status: string): Promise<Reservation[]> => {
  const rows: Reservation[] = [];
  let cursor: string | null = null;
  do {
    const query = { status, per_page: 100, ...(cursor ? { cursor } : {}) };
    const answer = await call(venue.tokens.full, "GET", "/reservations", { query });
    if (answer.status !== 200) return rows;
    const { data, meta } = answer.body as unknown as Listed;
    rows.push(...data);
    cursor = meta.next_cursor;
  } while (cursor !== null);
  return rows;
};
