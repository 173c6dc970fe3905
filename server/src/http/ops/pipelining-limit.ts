/**
 * Limits the unanswered requests of one connection. Browsers, proxies and SDKs wait for each answer. A client that does not wait would
 * exceed every limit: each request is parsed, and unread answers use memory.
 */
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

const PIPELINED_MAX = 16;

const pipelined = new WeakMap<Socket, number>();

export const countUnanswered = (socket: Socket): number => pipelined.get(socket) ?? 0;

/** False: the connection had too many and was closed, so the request must not be handled. */
export const countPipelined = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const { socket } = request.raw;
  const count = countUnanswered(socket) + 1;
  if (count > PIPELINED_MAX) {
    socket.destroy();
    return false;
  }
  pipelined.set(socket, count);
  reply.raw.once("close", () => pipelined.set(socket, (pipelined.get(socket) ?? 1) - 1));
  return true;
};
