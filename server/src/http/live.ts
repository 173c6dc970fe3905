/**
 * The console's open line: says which part of a venue has changed, and nothing else; the console then asks anew. One look
 * a second for each venue that somebody watches, however many watch it.
 */
import { LIVE_AREAS, type LiveArea } from "@comanda/contract/live.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { runAsNobody } from "#db/asker.ts";
import type { Log } from "#lib/context.ts";
import { fail } from "#lib/errors.ts";
import type { ConsoleLimit } from "./console-limit.ts";

const LOOK_EVERY_MS = 1000;
const BEAT_EVERY_MS = 15_000;
const RETRY_MS = 2000;
/** Browsers allow six to a host; a few tabs are enough for anybody. */
const LINES_PER_PERSON_MAX = 6;

type Marks = Partial<Record<LiveArea, string | null>>;

/** A fingerprint of each area; a line is told the names of those that differ. */
export type Look = (restaurantId: number) => Promise<Marks>;

/** Who asks, and for which venue; throws when they may not. Asked again at each beat, so that a session that ended ends its lines. */
export type Admit = (request: FastifyRequest) => Promise<{ personId: number; restaurantId: number }>;

type Line = { reply: FastifyReply; personId: number };
type Watch = { lines: Set<Line>; last: Marks; timer: NodeJS.Timeout };

type Given = { path: string; admit: Admit; limit: Pick<ConsoleLimit, "countPerson">; look: Look; log: Log };

export const addLive = (app: FastifyInstance, given: Given): void => {
  const watches = new Map<number, Watch>();
  const countLines = (personId: number): number =>
    [...watches.values()].flatMap(({ lines }) => [...lines]).filter((line) => line.personId === personId).length;
  app.get(given.path, async (request, reply) => {
    const { personId, restaurantId } = await given.admit(request);
    await given.limit.countPerson(reply, { personId, restaurantId });
    // Before the line is open: whoever asks once it is can miss nothing.
    const first = watches.has(restaurantId) ? {} : await given.look(restaurantId);
    if (countLines(personId) >= LINES_PER_PERSON_MAX) throw fail("rate_limited", {}, { "Retry-After": "10" });
    // Who has gone meanwhile would never be seen to go.
    if (reply.raw.destroyed) return reply.hijack();
    const watch = watches.get(restaurantId) ?? startWatch(given, restaurantId, first);
    watches.set(restaurantId, watch);
    const line: Line = { reply, personId };
    watch.lines.add(line);
    openLine(given, request, reply, () => {
      watch.lines.delete(line);
      if (watch.lines.size > 0) return;
      clearInterval(watch.timer);
      watches.delete(restaurantId);
    });
  });
  // An open line would hold a stopping process up.
  app.addHook("preClose", async () => {
    for (const { lines } of watches.values()) for (const { reply } of lines) reply.raw.end();
  });
};

const startWatch = ({ look, log }: Given, restaurantId: number, first: Watch["last"]): Watch => {
  const lookAgain = async (): Promise<void> => {
    const now = await look(restaurantId);
    const changed = LIVE_AREAS.filter((area) => now[area] !== watch.last[area]);
    watch.last = now;
    if (changed.length === 0) return;
    for (const { reply } of watch.lines) reply.raw.write(`event: changed\ndata: ${JSON.stringify(changed)}\n\n`);
  };
  const tick = () => void lookAgain().catch((error: unknown) => log.warn({ err: error }, "a venue could not be looked at"));
  const timer = runAsNobody(() => setInterval(tick, LOOK_EVERY_MS));
  const watch: Watch = { lines: new Set(), last: first, timer };
  return watch;
};

const openLine = ({ admit }: Given, request: FastifyRequest, reply: FastifyReply, onClose: () => void): void => {
  reply.hijack();
  reply.raw.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
    "X-Request-Id": request.id,
  });
  reply.raw.write(`retry: ${RETRY_MS}\n: open\n\n`);
  const beat = setInterval(() => {
    admit(request).then(
      () => reply.raw.write(": still here\n\n"),
      () => reply.raw.end(),
    );
  }, BEAT_EVERY_MS);
  reply.raw.once("close", () => {
    clearInterval(beat);
    onClose();
  });
};
