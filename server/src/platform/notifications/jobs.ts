import type { JobHandlers } from "#platform/jobs/service.ts";
import type { DailyLimits } from "./rules/message-policy.ts";
import type { MessageSender } from "./send.ts";
import { readSendableMessage, readSenderName, recordSendOutcome } from "./service.ts";

/** The message is sent between two transactions: after a crash in between it may be sent twice, never lost. */
export const notificationJobs = (sender: MessageSender, limits: DailyLimits): Pick<JobHandlers, "send-message"> => ({
  "send-message": async (inVenue, { message_id, attempt }) => {
    const [message, venueName] = await inVenue((ctx) =>
      Promise.all([readSendableMessage(ctx, { id: message_id, attempt }, limits), readSenderName(ctx)]),
    );
    if (!message) return;
    const outcome = await sender.send(message, venueName);
    await inVenue((ctx) => recordSendOutcome(ctx, message, outcome));
  },
});
