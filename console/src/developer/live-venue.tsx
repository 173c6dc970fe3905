import type { LiveArea } from "@comanda/contract/live.ts";
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keepLine, onNews } from "../live-line.ts";

/** Which questions an area's news makes worth asking again. Deliveries lay their newest page over the others by themselves. */
const QUESTIONS: Record<LiveArea, readonly string[]> = {
  deliveries: ["delivery", "webhooks"],
  activity: ["activity", "tokens", "webhooks", "sandbox", "apps", "delivery"],
  requests: ["requests"],
};

/** Whoever reads older pages is looking back, not waiting for news. */
const isLookingBack = ({ state }: Query): boolean => ((state.data as { pages?: unknown[] } | undefined)?.pages?.length ?? 0) > 1;

/** One line for the venue, whichever of its pages is shown. */
export const LiveVenue = ({ venue }: { venue: string }) => {
  const queryClient = useQueryClient();
  useEffect(() => {
    const stop = onNews((news) => {
      const names = new Set([...news].flatMap((area) => QUESTIONS[area]));
      void queryClient.invalidateQueries({
        predicate: (query) => names.has(String(query.queryKey[0])) && query.queryKey[1] === venue && !isLookingBack(query),
      });
    });
    const hangUp = keepLine(venue);
    return () => {
      stop();
      hangUp();
    };
  }, [venue, queryClient]);
  return null;
};
