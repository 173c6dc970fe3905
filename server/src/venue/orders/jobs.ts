import type { JobHandlers } from "#platform/jobs/service.ts";
import { readScreenActor } from "#venue/kitchen/screens/service.ts";
import { finishCooking, releaseOrder } from "./service.ts";

export const orderJobs: Pick<JobHandlers, "release-held-tickets" | "finish-cooking"> = {
  /** Runs when the kitchen is to begin with an order for later. */
  "release-held-tickets": async (inVenue, { order_id }) => {
    await inVenue((ctx) => releaseOrder(ctx, order_id));
  },
  /** Runs 20 s after the last ticket was bumped or struck. The screen that bumped it is the actor; after a strike the service is. */
  "finish-cooking": async (inVenue, { screen_id, ...data }) => {
    await inVenue(async (ctx) => {
      const actor = screen_id === null ? ctx.actor : await readScreenActor(ctx, screen_id);
      await finishCooking({ ...ctx, actor }, data);
    });
  },
};
