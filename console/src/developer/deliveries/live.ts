/** News of deliveries on their way into the pages that are shown, wherever the news comes from. */
import type { DeliveryRow } from "@comanda/contract/console-developer.ts";
import type { InfiniteData } from "@tanstack/react-query";
import type { Reply } from "../../api.ts";

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

/** Asks again every so often while somebody looks; the returned function ends it. A stream of events can take its place. */
export const watch = (everyMs: number, ask: () => Promise<void>): (() => void) => {
  let isAsking = false;
  const timer = setInterval(async () => {
    if (isAsking || document.visibilityState !== "visible") return;
    isAsking = true;
    await ask().catch(() => undefined);
    isAsking = false;
  }, everyMs);
  return () => clearInterval(timer);
};
