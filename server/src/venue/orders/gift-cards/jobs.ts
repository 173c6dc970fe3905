import type { JobHandlers } from "#platform/jobs/service.ts";
import { expireCard } from "./service/cards.ts";

export const giftCardJobs: Pick<JobHandlers, "expire-gift-card"> = {
  /** Runs at the midnight after the last day of a card, on the venue's clock. */
  "expire-gift-card": async (inVenue, { gift_card_id, expires_on }) => {
    await inVenue((ctx) => expireCard(ctx, gift_card_id, expires_on));
  },
};
