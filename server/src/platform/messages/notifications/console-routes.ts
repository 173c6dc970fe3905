import type { messageOperations } from "@comanda/contract/console/messages.ts";
import type { VenueCalls } from "#http/console/calls.ts";
import { readVenueMessages, retryMessage, setMessageAside } from "./service/venue-messages.ts";

export const messageCalls: Pick<VenueCalls, keyof typeof messageOperations> = {
  listMessages: async (ctx, { query }) => ({ data: await readVenueMessages(ctx, query()) }),
  retryMessage: async (ctx, { id, body }) => ({ data: await retryMessage(ctx, id, body) }),
  setMessageAside: async (ctx, { id, body }) => ({ data: await setMessageAside(ctx, id, body) }),
};
