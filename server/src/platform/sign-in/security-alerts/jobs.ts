import { PRODUCT_NAME } from "#lib/product-name.ts";
import type { InGlobalTransaction, JobHandlers } from "#platform/jobs/service.ts";
import type { MessageSender } from "#platform/messages/notifications/service.ts";
import { readDueAlert, recordAlertOutcome } from "./service.ts";

/** The mail is sent between two transactions: after a crash in between it may be sent twice, never lost. */
export const alertJobs = (given: { sender: MessageSender; inGlobalTransaction: InGlobalTransaction }): Pick<JobHandlers, "send-alert"> => ({
  "send-alert": async (_, { alert_id, attempt }) => {
    const alert = await given.inGlobalTransaction((ctx) => readDueAlert(ctx, alert_id));
    if (!alert) return;
    const { id, email, subject, body } = alert;
    const outcome = await given.sender.send({ id: `alert-${id}`, channel: "email", recipient: email, subject, body }, PRODUCT_NAME);
    await given.inGlobalTransaction((ctx) => recordAlertOutcome(ctx, { id, attempt }, outcome));
  },
});
