import type { VenueRound } from "#platform/jobs/service.ts";
import { tellOfUnseenOrders } from "./service.ts";
import { findVenuesWithUnseenOrders } from "./store.ts";

/** Managers get a mail about orders that no screen has shown. A venue that got one is not found again for 15 minutes. */
export const unseenOrders: VenueRound = {
  everyMs: 15_000,
  findVenues: findVenuesWithUnseenOrders,
  run: (inVenue) => inVenue((ctx) => tellOfUnseenOrders(ctx)),
  failure: "unseen orders of a venue could not be told; it is tried again in 15 seconds",
};
