import type { InHouse, JobHandlers } from "#platform/jobs/service.ts";
import type { Post } from "#platform/notices/service.ts";
import { endAlert, readDueAlert } from "./service.ts";

const SENDER = "Comanda";

/** The sending lies between two transactions, so a crash in between sends a mail twice at worst. */
export const alertJobs = (given: { post: Post; inHouse: InHouse }): Pick<JobHandlers, "send-alert"> => ({
  "send-alert": async (_, { alert_id }) => {
    const alert = await given.inHouse((ctx) => readDueAlert(ctx, alert_id));
    if (!alert) return;
    const { id, email, subject, body } = alert;
    const outcome = await given.post.send({ id: `alert-${id}`, channel: "email", recipient: email, subject, body }, SENDER);
    if (!outcome.isSent && !outcome.isFinal) throw new Error(`The mail could not be sent: ${outcome.reason}`);
    await given.inHouse(async (ctx) => {
      if (!outcome.isSent) ctx.log.error({ alert: id, reason: outcome.reason }, "a security alert could not be sent");
      endAlert(ctx, id, outcome.isSent ? "sent" : "failed");
    });
  },
});
