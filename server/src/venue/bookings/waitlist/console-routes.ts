import type { waitlistOperations } from "@comanda/contract/console/waitlist.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { addParty, notifyParty, quoteWait, removeEntry, seatEntry } from "./service.ts";

export const waitlistCalls: Pick<VenueCalls, keyof typeof waitlistOperations> = {
  quoteWait: async (ctx, { query }) => {
    const { party_size, branch } = query();
    return { data: { minutes: await quoteWait(ctx, party_size, branch ?? null) } };
  },
  addToWaitlist: async (ctx, { body }) => ({ data: await addParty(ctx, body()) }),
  notifyWaiting: async (ctx, { uuid, body }) => ({ data: await notifyParty(ctx, uuid, body().seen_version) }),
  seatWaiting: async (ctx, { uuid, body }) => ({ data: await seatEntry(ctx, uuid, body()) }),
  removeWaiting: async (ctx, { uuid, body }) => {
    await removeEntry(ctx, uuid, body().seen_version);
    return { data: {} };
  },
};
