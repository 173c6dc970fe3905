/** The beginning of an answer of server-sent events. */
import type { FastifyReply } from "fastify";

const RETRY_MS = 2000;

/** `first` is what the client gets at once. */
export const beginEventStream = (reply: FastifyReply, first: string, headers: Record<string, string> = {}): void => {
  reply.hijack();
  // Fastify's own listener ends with the first error, and a second one would end the process.
  reply.raw.on("error", () => undefined);
  reply.raw.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
    "X-Accel-Buffering": "no",
    ...headers,
  });
  reply.raw.write(`retry: ${RETRY_MS}\n${first}`);
};
