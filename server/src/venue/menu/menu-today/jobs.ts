import type { JobHandlers } from "#platform/jobs/service.ts";
import { endSoldOut } from "./service.ts";

export const menuTodayJobs: Pick<JobHandlers, "end-sold-out"> = {
  /** Runs when a dish or an option that was sold out until then comes back. */
  "end-sold-out": async (inVenue, end) => {
    await inVenue((ctx) => endSoldOut(ctx, end));
  },
};
