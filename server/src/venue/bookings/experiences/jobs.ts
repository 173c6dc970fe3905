import type { JobHandlers } from "#platform/jobs/service.ts";
import { expireHold } from "./service/tickets.ts";

export const experienceJobs: Pick<JobHandlers, "expire-ticket-hold"> = {
  /** Runs five minutes after tickets were held. */
  "expire-ticket-hold": async (inVenue, { booking_id, hold_ends_at }) => {
    await inVenue((ctx) => expireHold(ctx, booking_id, hold_ends_at));
  },
};
