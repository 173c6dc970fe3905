/** Reads the events that the feed keeps: all from the oldest, because a position cannot be made from a time. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Comanda, FeedEvent, Retry } from "@comanda/sdk";
import { explain } from "./errors.ts";
import { note } from "./output.ts";
import type { FollowedType } from "./service.ts";

export type KeptEvent = { event: FeedEvent; cursor: string };
type ReadOptions = { types?: readonly FollowedType[] | undefined; signal?: AbortSignal | undefined };

/** Read as fast as they come: a thousand events. */
const PAGES_AT_ONCE = 10;
const RATE_PER_MINUTE = 60;
const PROGRESS_MS = 5000;

/** Half of the token's rate, so that its other programs go on. */
const pauseMs = (ratePerMinute: number | null): number => 60_000 / ((ratePerMinute ?? RATE_PER_MINUTE) / 2);

const onRetry = ({ error, waitMs }: Retry): void => note(`${explain(error).message}\nTrying again in ${Math.ceil(waitMs / 1000)} s.`);

/** How far it is, on stderr, because reading can take minutes. */
const createProgress = (): ((read: number, last: FeedEvent | undefined) => void) => {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (read, last) => {
    const now = performance.now();
    if (now - toldAt < PROGRESS_MS) return;
    if (toldAt < 0) note("There are many events. They are read at half of the token's rate, so that its other programs go on.");
    toldAt = now;
    note(`${read} events read${last ? `, up to ${last.created_at}` : ""}`);
  };
};

/** The oldest first; it waits for none that is not there yet. */
export async function* readStoredEvents({ events }: Comanda, { types, signal }: ReadOptions): AsyncGenerator<KeptEvent, void, undefined> {
  const tellProgress = createProgress();
  let [after, read, last]: [string | undefined, number, FeedEvent | undefined] = [undefined, 0, undefined];
  for (let pages = 1; ; pages++) {
    const query = { ...(after === undefined ? {} : { after }), ...(types ? { types } : {}) };
    const { data, meta, rateLimit } = await events.list(query, { onRetry, ...(signal ? { signal } : {}) });
    for (const [index, event] of data.entries()) yield { event, cursor: meta.cursors[index] ?? meta.cursor };
    if (!meta.has_more) return;
    [after, read, last] = [meta.cursor, read + data.length, data.at(-1) ?? last];
    if (pages < PAGES_AT_ONCE) continue;
    tellProgress(read, last);
    await sleep(pauseMs(rateLimit.limit), undefined, signal ? { signal } : {});
  }
}
