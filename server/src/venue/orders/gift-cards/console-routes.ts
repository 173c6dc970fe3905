import type { giftCardOperations } from "@comanda/contract/console/gift-cards.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { adjustSeenBalance, issueCard, replaceSeenCode, setSeenStatus } from "./service/cards.ts";
import { lookUpCard } from "./service/codes.ts";
import { findCards, readDesk, readLedger } from "./service/ledger.ts";

export const giftCardCalls: Pick<VenueCalls, keyof typeof giftCardOperations> = {
  readGiftCardDesk: async (ctx) => ({ data: readDesk(ctx) }),

  sellGiftCard: async (ctx, { body }) => {
    const { method, ...card } = body();
    return { data: await issueCard(ctx, card, { method }) };
  },

  giveGiftCard: async (ctx, { body }) => {
    const { reason, ...card } = body();
    return { data: await issueCard(ctx, card, { reason }) };
  },

  lookUpGiftCard: async (ctx, { body }) => ({ data: await lookUpCard(ctx, body().code) }),

  findGiftCards: async (ctx, { query }) => {
    const { search, guest, before, rows = 25 } = query();
    return findCards(ctx, { search, guest, before, rows });
  },

  readGiftCard: async (ctx, { id }) => ({ data: await readLedger(ctx, id) }),

  setGiftCardStatus: async (ctx, { id, body }) => ({ data: await setSeenStatus(ctx, id, body) }),

  adjustGiftCard: async (ctx, { id, body }) => ({ data: await adjustSeenBalance(ctx, id, body) }),

  replaceGiftCardCode: async (ctx, { id, body }) => ({ data: await replaceSeenCode(ctx, id, body) }),
};
