/** A valid call of the event feed. */
import type { eventOperations } from "@comanda/contract/events/event-feed.ts";
import type { MakeExample } from "../examples.ts";

export const eventExamples: Record<keyof typeof eventOperations, MakeExample> = {
  listEvents: async () => ({ query: { limit: 5 } }),
};
