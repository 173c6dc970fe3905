/** A booking keeps its table, and a house that is booked out can show nothing: so what the kit has booked is cancelled again. */
import type { Reservation } from "@comanda/contract/reservations.ts";
import { call } from "../client.ts";
import { activeVenues, lab, type Venue } from "../target.ts";

/** By this number the kit knows its own bookings outside the lab. */
export const KIT_PHONE = "+1 202-555-0188";

/** Before a run for what an earlier one could not cancel, and after it. In the lab every open booking goes. */
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
