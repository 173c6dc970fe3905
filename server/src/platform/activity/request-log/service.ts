/** The request log: the latest requests of each token, and hourly counts. */

import type { LATEST } from "@comanda/contract/events/event-feed.ts";
import type { Db } from "#db/query.ts";
import type { Ctx, Log } from "#lib/context.ts";
import { realNow } from "#lib/venue-clock.ts";
import { addCounts, countOf, HOURS_SHOWN, hourOf, lastHours, type RequestCounts } from "./rules.ts";
import {
  type HourlyUsage,
  insertRequestLog,
  lastRequestLogId,
  listHourlyUsage,
  listRequestTail,
  type RequestLogEntry,
  TAIL_LOOKED_MAX,
  type TailRow,
} from "./store.ts";

export type { RequestLogEntry };

const FLUSH_EVERY_MS = 1000;
/** Requests beyond this number between two writes are only counted, so that the cost of a flood is bounded. */
const BUFFERED_REQUESTS_MAX = 500;

export type RequestLogBuffer = { add(request: RequestLogEntry): void; stop(): Promise<void> };

/** Writes in batches after the answer, so no request waits for it. A crash may lose the entries of one second. */
export const createRequestLogBuffer = (db: Pick<Db, "query">, log: Log): RequestLogBuffer => {
  let requests: RequestLogEntry[] = [];
  let hours = new Map<string, HourlyUsage>();
  const flush = async (): Promise<void> => {
    if (hours.size === 0) return;
    const batch = { requests, hours: [...hours.values()] };
    [requests, hours] = [[], new Map()];
    await insertRequestLog(db, batch).catch((error: unknown) => log.warn({ err: error }, "request log: a batch was not written"));
  };
  let pendingWrite: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    pendingWrite = pendingWrite.then(flush);
  }, FLUSH_EVERY_MS);
  timer.unref();
  return {
    add(request) {
      const hour = hourOf(request.at);
      const key = `${request.token_id} ${hour.getTime()}`;
      const before = hours.get(key);
      const counts = before ? addCounts(before, countOf(request.status)) : countOf(request.status);
      hours.set(key, { restaurant_id: request.restaurant_id, token_id: request.token_id, hour, ...counts });
      if (requests.length < BUFFERED_REQUESTS_MAX) requests.push(request);
    },
    async stop() {
      clearInterval(timer);
      await pendingWrite;
      await flush();
    },
  };
};

export type RequestTailPage = { rows: TailRow[]; cursor: number; hasMore: boolean };

/** The requests after a position, the oldest first, without those that read this list. */
export const readRequestTail = async (ctx: Ctx, after: number | typeof LATEST, rowCount: number): Promise<RequestTailPage> => {
  if (after === "latest") return { rows: [], cursor: await lastRequestLogId(ctx), hasMore: false };
  const { rows, lastId, lookedAt } = await listRequestTail(ctx, after, rowCount + 1);
  const shown = rows.slice(0, rowCount);
  const isCut = rows.length > rowCount;
  return { rows: shown, cursor: (isCut ? shown.at(-1)?.id : lastId) ?? after, hasMore: isCut || lookedAt === TAIL_LOOKED_MAX };
};

/** The last 24 hours of a token. */
export const readHourlyUsage = async (ctx: Ctx): Promise<(tokenId: number) => RequestCounts[]> => {
  const rows = await listHourlyUsage(ctx, new Date(hourOf(realNow(ctx)).getTime() - HOURS_SHOWN * 60 * 60 * 1000));
  const byToken = Map.groupBy(rows, ({ token_id }) => token_id);
  return (tokenId) => lastHours(byToken.get(tokenId) ?? [], realNow(ctx));
};
