import type { VenueRound } from "#platform/jobs/service.ts";
import { askDueGuests } from "./service/requests.ts";
import { findVenuesWithDueRequests } from "./store.ts";

/** Guests are asked for a review when it is due. */
export const dueReviewRequests: VenueRound = {
  everyMs: 15_000,
  findVenues: findVenuesWithDueRequests,
  run: (inVenue) => inVenue((ctx) => askDueGuests(ctx)),
  failure: "the guests of a venue could not be asked for reviews; it is tried again in 15 seconds",
};
