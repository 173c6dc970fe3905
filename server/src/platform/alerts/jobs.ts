import type { InHouse, JobHandlers } from "#platform/jobs/service.ts";
import type { Post } from "#platform/notices/service.ts";
import { noteOutcome, readDueAlert } from "./service.ts";

const SENDER = "Comanda";

/** The sending lies between two transactions, so a crash in between sends a mail twice at worst. */
export const alertJobs = (given: { post: Post; inHouse: InHouse }): Pick<JobHandlers, "send-alert"> => ({
  "send-alert": async (_, { alert_id, attempt }) => {
    const alert = await given.inHouse((ctx) => readDueAlert(ctx, alert_id));
    if (!alert) return;
    const { id, email, subject, body } = alert;
    const outcome = await given.post.send({ id: `alert-${id}`, channel: "email", recipient: email, subject, body }, SENDER);
    await given.inHouse((ctx) => noteOutcome(ctx, { id, attempt }, outcome));
  },
});
