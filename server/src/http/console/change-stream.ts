/** The console's change stream (server-sent events). It names the areas of a venue that changed; the console then reads them again. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeArea } from "@comanda/contract/console/change-areas.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runWithoutQueueScope } from "#db/queue-scope.ts";
import type { Log } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import type { ChangeNotice, ChangeWatch } from "../change-watch.ts";
import { beginEventStream } from "../event-stream.ts";
import type { ConsoleRateLimit } from "./console-rate-limit.ts";

/** A page that hears nothing for longer shows how old its data is. */
const BEAT_EVERY_MS = 2000;
/** A beat says that the stream would be notified of changes. When they could not be read for this long, there is none. */
const UNREAD_MS_MAX = 4000;
const ACCESS_CHECK_EVERY_MS = 10_000;
/** Without a successful check for this long, all streams end. */
const UNCHECKED_MS_MAX = 30_000;
/** After a check that failed, while a notice waits for it. */
const CHECK_AGAIN_MS = 1000;
/** Browsers open at most six connections to a host. */
const STREAMS_PER_CALLER_MAX = 6;
/** A client that reads nothing is cut off, so that its notices do not fill the memory. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** A change of these may have ended the access of a stream. */
const ACCESS_AREAS: readonly ChangeArea[] = ["screens", "team"];
/** What a stream that ends has left to send. */
const END_MS_MAX = 1500;

/** A stream belongs to a user or a screen. The hash of the cookie is checked again while the stream is open. */
export type StreamAccess = { caller: string; kind: "user" | "screen"; restaurantId: number; cookieHash: Buffer };
/** Throws without access. */
export type AuthorizeStream = (request: FastifyRequest) => Promise<StreamAccess>;
/** Returns for each stream whether it still has access: one statement for all. */
export type CheckAccess = (streams: readonly StreamAccess[]) => Promise<boolean[]>;

type ListeningStream = { access: StreamAccess; write(text: string): void; end(): void };

type StreamDeps = {
  /** Authorizes the listeners of each path. */
  paths: Record<string, AuthorizeStream>;
  checkAccess: CheckAccess;
  limit: Pick<ConsoleRateLimit, "countCaller">;
  watch: ChangeWatch;
  log: Log;
};

export const addChangeStream = (app: FastifyInstance, given: StreamDeps): void => {
  const streams = new Set<ListeningStream>();
  const places = createPlaces();
  const checks = createAccessChecks(given, streams);
  const timers = createStreamTimers(given, streams, checks);
  let isClosing = false;
  const serve = async (authorize: AuthorizeStream, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    const access = await authorize(request);
    await given.limit.countCaller(reply, access);
    if (isClosing) throw apiError("service_unavailable");
    const writer = createWriter(reply);
    const leave = places.take(access, writer.end);
    const watching = await given.watch.watch(access.restaurantId, checks.beforeTelling(writer)).catch((error: unknown) => {
      leave();
      throw error;
    });
    const stream: ListeningStream = { access, write: writer.write, end: writer.end };
    const close = (): void => {
      watching.stop();
      streams.delete(stream);
      leave();
      if (streams.size === 0) timers.stop();
    };
    // A client that disconnected meanwhile raises no further event.
    if (reply.raw.destroyed || isClosing) {
      close();
      reply.raw.destroy();
      return reply.hijack();
    }
    if (writer.isEnded()) {
      close();
      throw tooManyStreams();
    }
    reply.raw.once("close", close);
    beginEventStream(reply, isCurrent(given.watch) ? `id: ${watching.id}\n${BEAT}` : "\n", { "X-Request-Id": request.id });
    writer.open();
    streams.add(stream);
    timers.start();
    // The access may have ended between the authorization and now; a later end finds the stream among the others.
    checks.checkAdded(stream, writer.isEnded);
    return undefined;
  };
  for (const [path, authorize] of Object.entries(given.paths)) app.get(path, (request, reply) => serve(authorize, request, reply));
  // An open stream would delay the shutdown.
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const { end } of streams) end();
  });
  app.addHook("onClose", async () => given.watch.stop());
};

const tooManyStreams = () => apiError("rate_limited", {}, { "Retry-After": "10" });

type Place = { end(): void };

/**
 * Streams of each caller, with those that are being opened; the oldest first. A screen is one page: when it has too many streams, the
 * connections of the oldest were lost on the way, so the oldest ends. The pages of a person would end each other's without a pause.
 */
const createPlaces = () => {
  const places = new Map<string, Place[]>();
  const leave = (caller: string, place: Place): void => {
    const others = (places.get(caller) ?? []).filter((one) => one !== place);
    if (others.length === 0) places.delete(caller);
    else places.set(caller, others);
  };
  return {
    take({ caller, kind }: StreamAccess, end: () => void): () => void {
      const own = places.get(caller) ?? [];
      const [oldest] = own;
      if (oldest && own.length >= STREAMS_PER_CALLER_MAX) {
        if (kind !== "screen") throw tooManyStreams();
        leave(caller, oldest);
        oldest.end();
      }
      const place: Place = { end };
      places.set(caller, [...(places.get(caller) ?? []), place]);
      return () => leave(caller, place);
    },
  };
};

type StreamWriter = { tell(notice: ChangeNotice): void; isEnded(): boolean };

/** Notices that arrive before the answer has begun wait for `open`. Nothing is written after the end. */
const createWriter = ({ raw }: FastifyReply) => {
  const early: ChangeNotice[] = [];
  let isOpen = false;
  let isEnded = false;
  const write = (text: string): void => {
    if (raw.destroyed || raw.writableEnded) return;
    if (raw.writableLength > UNREAD_BYTES_MAX) raw.destroy();
    else raw.write(text);
  };
  const tell = (notice: ChangeNotice): void => {
    if (isOpen) write(eventOf(notice));
    else early.push(notice);
  };
  return {
    write,
    tell,
    open(): void {
      isOpen = true;
      for (const notice of early.splice(0)) tell(notice);
    },
    isEnded: (): boolean => isEnded || raw.destroyed,
    end(): void {
      isEnded = true;
      // An answer that has not begun gets an error instead.
      if (!isOpen) return;
      raw.end();
      setTimeout(() => raw.destroy(), END_MS_MAX).unref();
    },
  };
};

const eventOf = ({ id, areas }: ChangeNotice): string => `id: ${id}\nevent: changed\ndata: ${JSON.stringify(areas ?? "all")}\n\n`;

const BEAT = "event: beat\ndata:\n\n";

const isCurrent = (watch: ChangeWatch): boolean => performance.now() - watch.lastReadAt() <= UNREAD_MS_MAX;

type AccessChecks = ReturnType<typeof createAccessChecks>;

/** One check at a time: those who ask while one runs share the next one, because the running one may have read before. */
const createTurns = () => {
  let last = Promise.resolve(true);
  return (work: () => Promise<boolean>): (() => Promise<boolean>) => {
    let next: Promise<boolean> | null = null;
    return () => {
      if (next !== null) return next;
      last = last.then(() => {
        next = null;
        return work();
      });
      next = last;
      return last;
    };
  };
};

/** Ends the streams without access. Says whether the check succeeded. */
const endRefused = async ({ checkAccess, log }: StreamDeps, listening: readonly ListeningStream[]): Promise<boolean> => {
  try {
    const isAllowed = await checkAccess(listening.map(({ access }) => access));
    for (const [index, { end }] of listening.entries()) if (!isAllowed[index]) end();
    return true;
  } catch (error) {
    log.warn({ err: error }, "the access of open streams could not be checked");
    return false;
  }
};

const createAccessChecks = (given: StreamDeps, streams: ReadonlySet<ListeningStream>) => {
  let checkedAt = 0;
  const inTurn = createTurns();
  const checkAll = inTurn(async () => {
    const listening = [...streams];
    const isChecked = await endRefused(given, listening);
    if (isChecked) checkedAt = performance.now();
    else if (performance.now() - checkedAt > UNCHECKED_MS_MAX) for (const { end } of listening) end();
    return isChecked;
  });
  const added = new Set<ListeningStream>();
  const checkNew = inTurn(() => {
    const listening = [...added];
    added.clear();
    return endRefused(given, listening);
  });
  const untilChecked = async (ask: () => Promise<boolean>, isEnded: () => boolean): Promise<void> => {
    for (let isChecked = await ask(); !isChecked && !isEnded(); isChecked = await checkAll())
      await sleep(CHECK_AGAIN_MS, null, { ref: false });
  };
  return {
    checkAll,
    start(): void {
      checkedAt = performance.now();
    },
    checkAdded(stream: ListeningStream, isEnded: () => boolean): void {
      added.add(stream);
      void runWithoutQueueScope(() => untilChecked(checkNew, isEnded));
    },
    /** A change that may have ended access is sent after the streams without access have ended. Without a successful check it waits. */
    beforeTelling:
      ({ tell, isEnded }: StreamWriter) =>
      (notice: ChangeNotice): void => {
        if (notice.areas !== null && !notice.areas.some((area) => ACCESS_AREAS.includes(area))) tell(notice);
        else void runWithoutQueueScope(() => untilChecked(checkAll, isEnded)).then(() => tell(notice));
      },
  };
};

/** One beat and one check of access for all streams of the process; none without a stream. */
const createStreamTimers = ({ watch }: StreamDeps, streams: ReadonlySet<ListeningStream>, { checkAll, start }: AccessChecks) => {
  let timers: NodeJS.Timeout[] = [];
  const beat = (): void => {
    if (isCurrent(watch)) for (const { write } of streams) write(BEAT);
  };
  return {
    start(): void {
      if (timers.length > 0) return;
      start();
      timers = runWithoutQueueScope(() => [setInterval(beat, BEAT_EVERY_MS), setInterval(() => void checkAll(), ACCESS_CHECK_EVERY_MS)]);
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
};
