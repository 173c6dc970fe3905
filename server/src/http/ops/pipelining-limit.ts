/**
 * Limits the unanswered requests of one connection. Browsers, proxies and SDKs wait for each answer. A client that does not wait would
 * exceed every limit: each request is parsed, and unread answers use memory.
 */
import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

const PIPELINED_MAX = 16;

const pipelined = new WeakMap<Socket, Set<ServerResponse>>();

/** The answers that the requests of this connection wait for, in their order. */
export const unansweredOn = (socket: Socket): readonly ServerResponse[] => [...(pipelined.get(socket) ?? [])];

/** False: the connection had too many and was closed, so the request must not be handled. */
export const countPipelined = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const { socket } = request.raw;
  const unanswered = pipelined.get(socket) ?? new Set();
  if (unanswered.size >= PIPELINED_MAX) {
    socket.destroy();
    return false;
  }
  pipelined.set(socket, unanswered.add(reply.raw));
  reply.raw.once("close", () => unanswered.delete(reply.raw));
  return true;
};
