/** Keeps the loaded pages of the delivery list up to date. */
import type { DeliverySummary } from "@comanda/contract/console/webhooks.ts";
import type { InfiniteData } from "@tanstack/react-query";
import type { CallReply } from "#kit/api.ts";
import { onAreasChanged, pollUnlessStreaming } from "#shell/change-stream.ts";

export type DeliveryPage = CallReply<"listDeliveries">;
export type DeliveryPages = InfiniteData<DeliveryPage, number>;

/**
 * Merges the newest page into the loaded pages. Rows in its id range that it lacks no longer match the filter and are dropped.
 * If there is a gap between the newest page and the loaded ones, only the newest page is kept.
 */
export const mergeNewest = (pages: DeliveryPages, newest: DeliveryPage): DeliveryPages => {
  const last = newest.data.at(-1);
  if (last === undefined || newest.next === null) return { pages: [newest], pageParams: [0] };
  const known = pages.pages.flatMap(({ data }) => data);
  if (!known.some(({ id }) => id >= last.id)) return { pages: [newest], pageParams: [0] };
  const older = (rows: DeliverySummary[]): DeliverySummary[] => rows.filter(({ id }) => id < last.id);
  const [first, ...others] = pages.pages;
  return {
    pageParams: pages.pageParams,
    pages: [
      { data: [...newest.data, ...older(first?.data ?? [])], next: first?.next ?? null },
      ...others.map(({ data, next }) => ({ data: older(data), next })),
    ],
  };
};

/** Refetches on a change, and at an interval without a stream. Returns a function that stops it. */
export const refreshOnChange = (everyMs: number, ask: () => Promise<void>): (() => void) => {
  let isAsking = false;
  let isAskedAgain = false;
  const askAgain = async (): Promise<void> => {
    isAskedAgain = isAsking;
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    await ask().catch(() => undefined);
    isAsking = false;
    // A change during the request may be missing in its answer.
    if (isAskedAgain) await askAgain();
  };
  const timer = setInterval(() => void (pollUnlessStreaming(everyMs) !== false && askAgain()), everyMs);
  // A replay changes activity; its attempt changes deliveries.
  const stop = onAreasChanged((news) => void ((news.has("deliveries") || news.has("activity")) && askAgain()));
  return () => {
    clearInterval(timer);
    stop();
  };
};
