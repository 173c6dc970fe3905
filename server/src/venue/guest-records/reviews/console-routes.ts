import type { reviewOperations } from "@comanda/contract/console/reviews.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { findReviews, readDesk, readWholeReview, replyToSeenReview, saveRules } from "./service/inbox.ts";

export const reviewCalls: Pick<VenueCalls, keyof typeof reviewOperations> = {
  readReviewDesk: async (ctx) => ({ data: await readDesk(ctx) }),

  saveReviewRules: async (ctx, { body }) => ({ data: await saveRules(ctx, body()) }),

  findReviews: async (ctx, { query }) => {
    const { rating, before, rows = 25 } = query();
    return findReviews(ctx, { rating, before, rows });
  },

  readReview: async (ctx, { id }) => ({ data: await readWholeReview(ctx, id) }),

  replyToReview: async (ctx, { id, body }) => ({ data: await replyToSeenReview(ctx, id, body) }),
};
