import type { JobHandlers } from "#platform/jobs/service.ts";
import { releaseHeldTickets } from "./service.ts";

export const kitchenJobs: Pick<JobHandlers, "release-held-tickets"> = {
  /** At the opening. Tickets of an order that was cancelled meanwhile are not held any more, and stay as they are. */
  "release-held-tickets": async (inVenue, { order_id }) => {
    await inVenue((ctx) => releaseHeldTickets(ctx, order_id));
  },
};
