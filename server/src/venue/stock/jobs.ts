import type { JobHandlers } from "#platform/jobs/service.ts";
import { followStock } from "./service/sold-out.ts";

export const stockJobs: Pick<JobHandlers, "follow-stock"> = {
  /** Runs after an ingredient has run out or come back. A second run changes nothing. */
  "follow-stock": async (inVenue) => {
    while (await inVenue(followStock));
  },
};
