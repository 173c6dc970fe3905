import type { JobHandlers } from "#platform/jobs/service.ts";
import type { Post } from "./send.ts";
import { noteOutcome, readDueMessage, readSenderName } from "./service.ts";

/** Read, send, record: the sending lies between two transactions, so a crash in between sends a message twice at worst. */
export const noticeJobs = (post: Post): Pick<JobHandlers, "send-message"> => ({
  "send-message": async (inVenue, { message_id, attempt }) => {
    const [message, venueName] = await inVenue((ctx) => Promise.all([readDueMessage(ctx, message_id, attempt), readSenderName(ctx)]));
    if (!message) return;
    const outcome = await post.send(message, venueName);
    await inVenue((ctx) => noteOutcome(ctx, message, outcome));
  },
});
