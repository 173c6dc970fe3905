/** A valid call for each guest operation. */
import type { guestOperations } from "@comanda/contract/venue/guests.ts";
import type { MakeExample } from "../examples.ts";
import { found } from "../menu/floor.ts";
import { listGuests } from "./guests.ts";

export const guestExamples: Record<keyof typeof guestOperations, MakeExample> = {
  listGuests: async () => ({}),
  getGuest: async (venue) => {
    const { data } = await listGuests(venue, { per_page: 1 });
    return { params: { guest: found(`a guest of ${venue.slug}`, data, () => true).id } };
  },
};
