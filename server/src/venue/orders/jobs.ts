import type { JobHandlers } from "#platform/jobs/service.ts";
import { releaseOrder } from "./service.ts";

export const orderJobs: Pick<JobHandlers, "release-held-tickets"> = {
  /** Runs when the kitchen is to begin with an order for later. */
  "release-held-tickets": async (inVenue, { order_id }) => {
    await inVenue((ctx) => releaseOrder(ctx, order_id));
  },
};
