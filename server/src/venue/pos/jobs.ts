import type { SecretKey } from "#lib/sealed.ts";
import type { JobHandlers } from "#platform/jobs/service.ts";
import { deliver, type Sender } from "#platform/webhooks/service.ts";
import { postponePush, readyPush, recordAttempt } from "./service.ts";

/** Two short transactions with the network between them: no row is locked while a point of sale takes its time. */
export const posJobs = (given: { sender: Sender; secretKeys: readonly SecretKey[] }): Pick<JobHandlers, "push-order"> => ({
  "push-order": async (inVenue, data) => {
    const ready = await inVenue((ctx) => readyPush(ctx, data, given.secretKeys));
    if (!ready) return;
    const { push } = ready;
    if ("failure" in ready && ready.failure === "secret") return inVenue((ctx) => postponePush(ctx, push));
    const outcome =
      "failure" in ready
        ? { status: null, durationMs: 0, failure: ready.failure }
        : await deliver(given.sender, { url: ready.url, secrets: [ready.secret], event: ready.event, body: push.body, at: ready.at });
    await inVenue((ctx) => recordAttempt(ctx, push, outcome));
  },
});
