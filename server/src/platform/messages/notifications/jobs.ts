import type { JobHandlers } from "#platform/jobs/service.ts";
import type { DailyLimits } from "./rules/message-policy.ts";
import { fillInReviewLink } from "./rules/review-texts.ts";
import type { MessageSender } from "./send.ts";
import { readSendableMessage, readSenderName, recordSendOutcome } from "./service.ts";

/** The address in a message that asks for a review. */
export type ReviewUrlOf = (link: { restaurantId: number; messageId: number }) => string;

const noReviewUrl: ReviewUrlOf = () => {
  throw new Error("No address of reviews was given to the job that sends messages");
};

/** The message is sent between two transactions: after a crash in between it may be sent twice, never lost. */
export const notificationJobs = (
  sender: MessageSender,
  limits: DailyLimits,
  reviewUrlOf = noReviewUrl,
): Pick<JobHandlers, "send-message"> => ({
  "send-message": async (inVenue, { message_id, attempt }) => {
    const { message, venueName, restaurantId } = await inVenue(async (ctx) => {
      const [sendable, name] = await Promise.all([readSendableMessage(ctx, { id: message_id, attempt }, limits), readSenderName(ctx)]);
      return { message: sendable, venueName: name, restaurantId: ctx.tenant.id };
    });
    if (!message) return;
    const isWithLink = message.kind === "review.requested";
    const body = isWithLink ? fillInReviewLink(message.body, reviewUrlOf({ restaurantId, messageId: message.id })) : message.body;
    const outcome = await sender.send({ ...message, body }, venueName);
    await inVenue((ctx) => recordSendOutcome(ctx, message, outcome));
  },
});
