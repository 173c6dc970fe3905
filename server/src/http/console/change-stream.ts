/** The console's change stream (server-sent events). It names the areas of a venue that changed; the console then reads them again. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runWithoutQueueScope } from "#db/queue-scope.ts";
import type { Log } from "#lib/context.ts";
import { apiError } from "#lib/errors.ts";
import type { ChangeNotice, ChangeWatch } from "./change-watch.ts";
import type { ConsoleRateLimit } from "./console-rate-limit.ts";

/** A page that hears nothing for longer shows how old its data is. */
const BEAT_EVERY_MS = 2000;
const ACCESS_CHECK_EVERY_MS = 10_000;
/** Without a successful check for this long, all streams end. */
const UNCHECKED_MS_MAX = 30_000;
const RETRY_MS = 2000;
/** Browsers open at most six connections to a host. */
const STREAMS_PER_USER_MAX = 6;
/** A client that reads nothing is cut off, so that its notices do not fill the memory. */
const UNREAD_BYTES_MAX = 64 * 1024;
/** What a stream that ends has left to send. */
const END_MS_MAX = 1500;

/** Who listens. `sessionHash` is checked again while the stream is open. */
export type StreamAccess = { userId: number; restaurantId: number; sessionHash: Buffer };
/** Throws without access. */
export type AuthorizeStream = (request: FastifyRequest) => Promise<StreamAccess>;
/** For each of these, whether it still has access: one statement for all. */
export type CheckAccess = (streams: readonly StreamAccess[]) => Promise<boolean[]>;

type ListeningStream = { access: StreamAccess; write(text: string): void; end(): void };

type StreamDeps = {
  path: string;
  authorize: AuthorizeStream;
  checkAccess: CheckAccess;
  limit: Pick<ConsoleRateLimit, "countUser">;
  watch: ChangeWatch;
  log: Log;
};

export const addChangeStream = (app: FastifyInstance, given: StreamDeps): void => {
  const streams = new Set<ListeningStream>();
  /** Streams of each user, with those that are being opened. */
  const counts = new Map<number, number>();
  const timers = createStreamTimers(given, streams);
  let isClosing = false;
  const leave = ({ userId }: StreamAccess): void => {
    counts.set(userId, (counts.get(userId) ?? 1) - 1);
    if (counts.get(userId) === 0) counts.delete(userId);
    if (streams.size === 0) timers.stop();
  };
  app.get(given.path, async (request, reply) => {
    const access = await given.authorize(request);
    await given.limit.countUser(reply, access);
    if (isClosing) throw apiError("service_unavailable");
    const count = counts.get(access.userId) ?? 0;
    if (count >= STREAMS_PER_USER_MAX) throw apiError("rate_limited", {}, { "Retry-After": "10" });
    counts.set(access.userId, count + 1);
    const writer = createWriter(reply);
    const watching = await given.watch.watch(access.restaurantId, writer.tell).catch((error: unknown) => {
      leave(access);
      throw error;
    });
    const stream: ListeningStream = { access, write: writer.write, end: writer.end };
    const close = (): void => {
      watching.stop();
      streams.delete(stream);
      leave(access);
    };
    // A client that disconnected meanwhile raises no further event.
    if (reply.raw.destroyed || isClosing) {
      close();
      reply.raw.destroy();
      return reply.hijack();
    }
    reply.raw.once("close", close);
    beginAnswer(request, reply, watching.id);
    writer.open();
    streams.add(stream);
    timers.start();
  });
  // An open stream would delay the shutdown.
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const { end } of streams) end();
  });
  app.addHook("onClose", async () => given.watch.stop());
};

/** Notices that arrive before the answer has begun wait for `open`. Nothing is written after the end. */
const createWriter = ({ raw }: FastifyReply) => {
  const early: ChangeNotice[] = [];
  let isOpen = false;
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
      // Fastify's own listener ends with the first error, and a second one would end the process.
      raw.on("error", () => undefined);
      isOpen = true;
      for (const notice of early.splice(0)) tell(notice);
    },
    end(): void {
      raw.end();
      setTimeout(() => raw.destroy(), END_MS_MAX).unref();
    },
  };
};

const eventOf = ({ id, areas }: ChangeNotice): string => `id: ${id}\nevent: changed\ndata: ${JSON.stringify(areas ?? "all")}\n\n`;

const beginAnswer = (request: FastifyRequest, reply: FastifyReply, id: string): void => {
  reply.hijack();
  reply.raw.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
    "X-Request-Id": request.id,
  });
  reply.raw.write(`retry: ${RETRY_MS}\nid: ${id}\nevent: beat\ndata:\n\n`);
};

/** One beat and one check of access for all streams of the process; none without a stream. */
const createStreamTimers = ({ checkAccess, log }: StreamDeps, streams: ReadonlySet<ListeningStream>) => {
  let timers: NodeJS.Timeout[] = [];
  let checkedAt = 0;
  const beat = (): void => {
    for (const { write } of streams) write("event: beat\ndata:\n\n");
  };
  const check = async (): Promise<void> => {
    const listening = [...streams];
    try {
      const isAllowed = await checkAccess(listening.map(({ access }) => access));
      checkedAt = performance.now();
      for (const [index, { end }] of listening.entries()) if (!isAllowed[index]) end();
    } catch (error) {
      log.warn({ err: error }, "the access of open streams could not be checked");
      if (performance.now() - checkedAt > UNCHECKED_MS_MAX) for (const { end } of listening) end();
    }
  };
  return {
    start(): void {
      if (timers.length > 0) return;
      checkedAt = performance.now();
      timers = runWithoutQueueScope(() => [setInterval(beat, BEAT_EVERY_MS), setInterval(() => void check(), ACCESS_CHECK_EVERY_MS)]);
    },
    stop(): void {
      for (const timer of timers) clearInterval(timer);
      timers = [];
    },
  };
};
