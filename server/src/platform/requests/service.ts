/** What each token asked for: the latest requests one by one, and counts by the hour. */
import type { Db } from "#db/query.ts";
import type { Ctx, Log } from "#lib/context.ts";
import { add, type Counts, countOf, HOURS_SHOWN, hourOf, lastHours } from "./rules.ts";
import { type HourNote, insertNotes, listHours, listRequestRows, type RequestFilter, type RequestNote } from "./store.ts";

export type { RequestNote };

const FLUSH_EVERY_MS = 1000;
/** Kept one by one until the next write; what comes beyond is counted only, so a flood costs no more than this. */
const KEPT_MAX = 500;

export type Notebook = { note(request: RequestNote): void; stop(): Promise<void> };

/** Written a moment after the answer and in batches: no request waits for it, and one that is lost in a crash is only a line of a log. */
export const openNotebook = (db: Db, log: Log): Notebook => {
  let requests: RequestNote[] = [];
  let hours = new Map<string, HourNote>();
  const flush = async (): Promise<void> => {
    if (hours.size === 0) return;
    const batch = { requests, hours: [...hours.values()] };
    [requests, hours] = [[], new Map()];
    await insertNotes(db, batch).catch((error: unknown) => log.warn({ err: error }, "some requests were not noted"));
  };
  let writing: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    writing = writing.then(flush);
  }, FLUSH_EVERY_MS);
  timer.unref();
  return {
    note(request) {
      const hour = hourOf(request.at);
      const key = `${request.token_id} ${hour.getTime()}`;
      const before = hours.get(key);
      const counts = before ? add(before, countOf(request.status)) : countOf(request.status);
      hours.set(key, { restaurant_id: request.restaurant_id, token_id: request.token_id, hour, ...counts });
      if (requests.length < KEPT_MAX) requests.push(request);
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await flush();
    },
  };
};

export const readRequests = (ctx: Ctx, filter: RequestFilter, rowCount: number) => listRequestRows(ctx, filter, rowCount);

/** For each token that was used: the last 24 hours. */
export const readHours = async (ctx: Ctx): Promise<(tokenId: number) => Counts[]> => {
  const rows = await listHours(ctx, new Date(hourOf(ctx.now).getTime() - HOURS_SHOWN * 60 * 60 * 1000));
  const byToken = Map.groupBy(rows, ({ token_id }) => token_id);
  return (tokenId) => lastHours(byToken.get(tokenId) ?? [], ctx.now);
};
