import type { JobHandlers } from "#platform/jobs/service.ts";
import { applyScheduledPrices } from "./service/scheduled-prices.ts";

export const menuJobs: Pick<JobHandlers, "apply-scheduled-prices"> = {
  /** Runs when prices that were planned begin. */
  "apply-scheduled-prices": async (inVenue, { starts_at }) => {
    await inVenue((ctx) => applyScheduledPrices(ctx, new Date(starts_at)));
  },
};
