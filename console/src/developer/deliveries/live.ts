/** News of deliveries on their way into the pages that are shown, wherever the news comes from. */
import type { DeliveryRow } from "@comanda/contract/console-webhooks.ts";
import type { InfiniteData } from "@tanstack/react-query";
import type { Reply } from "../../api.ts";
import { onNews, unlessLive } from "../../live-line.ts";

export type DeliveryPage = Reply<"listDeliveries">;
export type DeliveryPages = InfiniteData<DeliveryPage, number>;

/**
 * The newest page as it is now, laid over what was loaded. What stood in its stretch and is not in it any more no longer fits the
 * filter. With more news than one page holds there is a gap between the two, and reading starts anew.
 */
export const mergeNewest = (pages: DeliveryPages, newest: DeliveryPage): DeliveryPages => {
  const last = newest.data.at(-1);
  if (last === undefined || newest.next === null) return { pages: [newest], pageParams: [0] };
  const known = pages.pages.flatMap(({ data }) => data);
  if (!known.some(({ id }) => id >= last.id)) return { pages: [newest], pageParams: [0] };
  const older = (rows: DeliveryRow[]): DeliveryRow[] => rows.filter(({ id }) => id < last.id);
  const [first, ...others] = pages.pages;
  return {
    pageParams: pages.pageParams,
    pages: [
      { data: [...newest.data, ...older(first?.data ?? [])], next: first?.next ?? null },
      ...others.map(({ data, next }) => ({ data: older(data), next })),
    ],
  };
};

/** Asks again when there is news, and every so often where no line would say so; the returned function ends it. */
export const watch = (everyMs: number, ask: () => Promise<void>): (() => void) => {
  let isAsking = false;
  let isAskedAgain = false;
  const askAgain = async (): Promise<void> => {
    isAskedAgain = isAsking;
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    await ask().catch(() => undefined);
    isAsking = false;
    // What came in between may not be in the answer.
    if (isAskedAgain) await askAgain();
  };
  const timer = setInterval(() => void (unlessLive(everyMs) !== false && askAgain()), everyMs);
  // A replay is an activity; its attempt is a delivery.
  const stop = onNews((news) => void ((news.has("deliveries") || news.has("activity")) && askAgain()));
  return () => {
    clearInterval(timer);
    stop();
  };
};
