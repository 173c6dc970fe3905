/**
 * Calls that wait (decisions 0063 and 0074): an answer as soon as there is an event or a request, or a stream of server-sent events. While
 * a call waits it holds no connection to the database and no place of the concurrency limit.
 */
import { once } from "node:events";
import { areaOf } from "@comanda/contract/events/envelope.ts";
import { FEED_TYPES } from "@comanda/contract/events/event-feed.ts";
import type { Operation } from "@comanda/contract/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "#lib/errors.ts";
import { type FeedKey, readFeedPosition } from "#lib/feed-position.ts";
import type { ChangeWatch } from "../change-watch.ts";
import { beginEventStream } from "../event-stream.ts";
import type { Quota } from "../rate-limit.ts";
import { isStoredRows, type Result } from "../reply.ts";
import { requirePrincipal } from "./auth-state.ts";
import { createWakeSignal, type WakeSignal } from "./wake-signal.ts";

const WAITING_PER_TOKEN_MAX = 2;
/** More often than a silent connection is closed. */
const HEARTBEAT_MS = 10_000;
/** Then the client connects again, and is authenticated and counted again. */
const STREAM_MS_MAX = 10 * 60 * 1000;

type Waited = NonNullable<Operation["waits"]>;

/** Changes in these areas may end the access to what a call waits for. */
const ACCESS_AREAS = ["tokens", "apps"];

/** Areas that wake a waiting call. */
const WAKING_AREAS: Record<Waited, ReadonlySet<string>> = {
  events: new Set([...FEED_TYPES.map(areaOf), ...ACCESS_AREAS]),
  requests: new Set(["requests", ...ACCESS_AREAS]),
};

/** `after` replaces the position of the request. */
export type ReadPage = (after: string | null) => Promise<Result>;

type WaitingCall = { request: FastifyRequest; reply: FastifyReply; read: ReadPage; waitsFor: Waited };
type WaitingDeps = {
  cursorKey: Buffer;
  watch: ChangeWatch;
  leavePlace(request: FastifyRequest): void;
  /** Counts one more request of the caller. */
  countOneMore(request: FastifyRequest): Promise<Quota>;
};

export type WaitingCalls = {
  /** The events after the position, or those of the first moment within the time at which there is one. */
  waitForPage(call: WaitingCall, waitMs: number): Promise<Result>;
  /** Answers with a stream, which ends by itself or with the connection. */
  stream(call: WaitingCall): Promise<FastifyReply>;
  /** Ends every waiting call. */
  close(): void;
};

export const createWaitingCalls = ({ cursorKey, watch, leavePlace, countOneMore }: WaitingDeps): WaitingCalls => {
  const places = createWaitingPlaces();
  const { withWakeSignal, close } = createWakeSignals(watch, cursorKey);
  return {
    async waitForPage(call, waitMs) {
      if (waitMs === 0) return call.read(null);
      const leave = places.take(call);
      try {
        const first = await call.read(null);
        if (hasSomething(first)) return first;
        leavePlace(call.request);
        return await withWakeSignal(call, first, (signal) => waitWith(call, first, signal, waitMs));
      } finally {
        leave();
      }
    },
    async stream(call) {
      const leave = places.take(call);
      const first = await call.read(lastEventIdOf(call.request)).catch((error: unknown) => {
        leave();
        throw error;
      });
      leavePlace(call.request);
      beginEventStream(call.reply, "\n");
      void withWakeSignal(call, first, (signal) => streamWith(call, first, { signal, countOneMore }))
        // The answer has begun, so an error only ends it; the client's next request gets it.
        .catch((error: unknown) => call.request.log.info({ err: error }, "an event stream ended"))
        .finally(() => {
          leave();
          call.reply.raw.end();
        });
      return call.reply;
    },
    close,
  };
};

/** The wake signals of all calls that wait in this process. */
const createWakeSignals = (watch: ChangeWatch, cursorKey: Buffer) => {
  const signals = new Set<WakeSignal>();
  let isClosing = false;
  return {
    /** Runs the work with a signal that wakes it when the venue changes. What changed since the page was read wakes it at once. */
    async withWakeSignal(call: WaitingCall, page: Result, work: (signal: WakeSignal) => Promise<Result>): Promise<Result> {
      const { tenant } = requirePrincipal(call.request);
      const signal = createWakeSignal();
      signals.add(signal);
      if (isClosing || call.reply.raw.destroyed) signal.end();
      call.reply.raw.once("close", () => signal.end());
      const onChange = (areas: readonly string[] | null): void => {
        if (areas === null || areas.some((area) => WAKING_AREAS[call.waitsFor].has(area))) signal.wake();
      };
      try {
        const watching = await watch.watch(tenant.id, ({ areas }) => onChange(areas));
        // The watch knows no position of the request log, so it is read once more.
        if (call.waitsFor === "requests" || !isReadUpTo(page, { key: cursorKey, tenantId: tenant.id }, watching.id)) signal.wake();
        return await work(signal).finally(watching.stop);
      } finally {
        signals.delete(signal);
      }
    },
    close(): void {
      isClosing = true;
      for (const signal of signals) signal.end();
    },
  };
};

/** `cursors` only of events. */
type PageMeta = { count: number; cursor: string; has_more: boolean; cursors: readonly string[] };
const metaOf = ({ meta }: Result): PageMeta => meta as PageMeta;

const hasSomething = (page: Result): boolean => metaOf(page).count > 0 || metaOf(page).has_more;

/** `id` is the position from which the change watch notifies: epoch and number. */
const isReadUpTo = (page: Result, key: FeedKey, id: string): boolean => {
  const position = readFeedPosition(key, metaOf(page).cursor);
  const [epoch, number] = id.split(".");
  return position !== null && typeof position === "object" && position.epoch === epoch && position.number >= Number(number);
};

/** Token and grants are checked in the round trip of the reading, because the call may have waited for long. */
const readAgain = ({ request, read }: WaitingCall, page: Result): Promise<Result> => {
  request.auth.mustBeAdmittedAgain = true;
  return read(metaOf(page).cursor);
};

const waitWith = async (call: WaitingCall, first: Result, signal: WakeSignal, waitMs: number): Promise<Result> => {
  const deadline = performance.now() + waitMs;
  let page = first;
  while (!hasSomething(page)) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0 || (await signal.wait(leftMs)) !== "changed") return page;
    page = await readAgain(call, page);
  }
  return page;
};

type Streaming = Pick<WaitingDeps, "countOneMore"> & { signal: WakeSignal };

/**
 * A stream reads on after each page that had something; otherwise it waits, and shows with a heartbeat that it is there. A page without anything
 * is not written, and heartbeats keep their own time: otherwise a token without scopes could count the changes of the venue. Each further page
 * of a backlog counts as a request, because it costs as much. Over the rate the stream ends, and the client's next request gets the 429.
 */
const streamWith = async (call: WaitingCall, first: Result, { signal, countOneMore }: Streaming): Promise<Result> => {
  const { raw } = call.reply;
  const deadline = setTimeout(() => signal.end(), STREAM_MS_MAX);
  try {
    let page = first;
    const beats = createHeartbeats();
    for (;;) {
      if (page === first || hasSomething(page)) await write(raw, blocksOf(page), signal.ended);
      if (!hasSomething(page))
        while ((await signal.wait(beats.nextInMs())) === "time") {
          beats.pass();
          await write(raw, HEARTBEAT, signal.ended);
        }
      if (signal.ended.aborted) return page;
      if (metaOf(page).has_more && (await countOneMore(call.request)).isOver) return page;
      page = await readAgain(call, page);
    }
  } finally {
    clearTimeout(deadline);
  }
};

const HEARTBEAT = ": waiting\n\n";

/** At the same distance from each other, whatever happens in between. */
const createHeartbeats = (): { nextInMs(): number; pass(): void } => {
  let dueAt = performance.now() + HEARTBEAT_MS;
  return {
    nextInMs: () => Math.max(0, dueAt - performance.now()),
    pass() {
      while (dueAt <= performance.now() + 1) dueAt += HEARTBEAT_MS;
    },
  };
};

/** The last block has no data: it only moves the client's position behind what was read. */
const blocksOf = (page: Result): string => {
  const { cursors, cursor } = metaOf(page);
  const rows = isStoredRows(page.data) ? page.data.storedRows : [];
  const blocks = rows.map((body, index) => `id: ${cursors[index]}\ndata: ${body}\n\n`);
  return `${blocks.join("")}id: ${cursor}\n\n`;
};

/** Waits until a slow client has read, so that at most one page of a stream is in memory. When the stream is over first, the connection is cut. */
const write = async (raw: FastifyReply["raw"], text: string, ended: AbortSignal): Promise<void> => {
  if (raw.destroyed || raw.write(text)) return;
  await once(raw, "drain", { signal: ended }).catch(() => raw.destroy());
};

export const wantsStream = ({ method, headers }: FastifyRequest): boolean =>
  method === "GET" && (headers.accept ?? "").toLowerCase().includes("text/event-stream");

/** A client that connects again sends it; the address still has the position it began with. */
const lastEventIdOf = ({ headers }: FastifyRequest): string | null => {
  const id = headers["last-event-id"];
  return typeof id === "string" && id !== "" ? id : null;
};

/** Waiting calls of each token in this process, for events and for requests each. */
const createWaitingPlaces = () => {
  const taken = new Map<string, number>();
  return {
    take({ request, waitsFor }: WaitingCall): () => void {
      const key = `${waitsFor} ${requirePrincipal(request).tokenId}`;
      const count = taken.get(key) ?? 0;
      if (count >= WAITING_PER_TOKEN_MAX) throw tooManyWaiting(waitsFor);
      taken.set(key, count + 1);
      return () => {
        const others = (taken.get(key) ?? 1) - 1;
        if (others === 0) taken.delete(key);
        else taken.set(key, others);
      };
    },
  };
};

/** This limit is not that of the minute, so the error says which one it is. */
const tooManyWaiting = (waitsFor: Waited): ApiError =>
  new ApiError("rate_limited", {
    headers: { "Retry-After": "5", "X-RateLimit-Remaining": "0" },
    message: `This token has ${WAITING_PER_TOKEN_MAX} calls that wait for ${waitsFor} already. End one of them, or ask without wait; the limit of the minute is not reached.`,
    reasons: [{ field: "wait", reason: "too_many_waiting", params: { max: WAITING_PER_TOKEN_MAX } }],
  });
