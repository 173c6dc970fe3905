import type { JobHandlers } from "#platform/jobs/service.ts";
import { resetSandbox } from "./service.ts";

export const sandboxJobs: Pick<JobHandlers, "reset-sandbox"> = {
  "reset-sandbox": async (inVenue, { due_at }) => {
    await inVenue((ctx) => resetSandbox(ctx, due_at), "exclusive");
  },
};
