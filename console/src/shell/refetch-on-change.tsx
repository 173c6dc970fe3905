import type { ChangeArea } from "@comanda/contract/console/change-areas.ts";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ChangedAreas, keepStreamOpen, onAreasChanged } from "./change-stream.ts";
import { sessionQuery } from "./session.ts";

/** The query keys to refetch for each area. The delivery list is missing: it merges its newest page itself. */
const QUERY_KEYS: Partial<Record<ChangeArea, readonly string[]>> = {
  deliveries: ["delivery", "webhooks", "till"],
  activity: ["activity", "tokens", "webhooks", "sandbox", "apps", "delivery"],
  requests: ["requests"],
  menu: ["menu-today", "menu-plan"],
  orders: ["board", "order", "closed-orders", "booking-day", "bills"],
  bills: ["bills"],
  tickets: ["board", "order"],
  reservations: ["booking-day", "booking", "messages", "floor", "booking-rules"],
  settings: ["board", "booking-day", "venue-settings", "till", "shift-week"],
  screens: ["screens"],
  team: ["team", "shift-week"],
  guests: ["guests", "guest"],
  "gift-cards": ["gift-cards", "gift-card"],
  messages: ["messages"],
  reviews: ["review-desk", "reviews", "review"],
  stock: ["stock", "stock-entries", "recipes", "recipe"],
  shifts: ["shift-week", "own-shifts", "team"],
  experiences: ["experiences", "experience-session", "guest"],
  payments: ["board", "order", "closed-orders", "takings", "booking", "bills"],
};

/** A reader on older pages is not interrupted. */
const hasOlderPages = ({ state }: Query): boolean => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > 1;

/** One refetch at a time. What changes meanwhile is refetched after it: a new notice must not cancel the answer to the last one. */
const createRefetch = (queryClient: QueryClient, venue: string): ((areas: ChangedAreas) => void) => {
  let waiting = new Set<string>();
  let isRunning = false;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (waiting.size > 0) {
      const names = waiting;
      waiting = new Set();
      await queryClient.invalidateQueries({
        predicate: (query) => names.has(String(query.queryKey[0])) && query.queryKey[1] === venue && !hasOlderPages(query),
      });
    }
    isRunning = false;
  };
  return (areas) => {
    // Role and access of this person may have changed. The server ends the stream of a person without access.
    if (areas.has("team")) void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
    for (const area of areas) for (const name of QUERY_KEYS[area] ?? []) waiting.add(name);
    if (!isRunning) void run();
  };
};

/** One stream per venue, shared by all its pages. */
export const RefetchOnChange = ({ venue }: { venue: string }) => {
  const queryClient = useQueryClient();
  useEffect(() => {
    const stopListening = onAreasChanged(createRefetch(queryClient, venue));
    const closeStream = keepStreamOpen(venue);
    return () => {
      stopListening();
      closeStream();
    };
  }, [venue, queryClient]);
  return null;
};
