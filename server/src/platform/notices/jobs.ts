import type { JobHandlers } from "#platform/jobs/service.ts";
import type { DailyLimits } from "./rules.ts";
import type { Post } from "./send.ts";
import { noteOutcome, readSendableMessage, readSenderName } from "./service.ts";

/** Read, send, record: the sending lies between two transactions, so a crash in between sends a message twice at worst. */
export const noticeJobs = (post: Post, limits: DailyLimits): Pick<JobHandlers, "send-message"> => ({
  "send-message": async (inVenue, { message_id, attempt }) => {
    const [message, venueName] = await inVenue((ctx) =>
      Promise.all([readSendableMessage(ctx, { id: message_id, attempt }, limits), readSenderName(ctx)]),
    );
    if (!message) return;
    const outcome = await post.send(message, venueName);
    await inVenue((ctx) => noteOutcome(ctx, message, outcome));
  },
});
