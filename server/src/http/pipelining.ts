/**
 * How many requests one connection may have under way. Browsers, proxies and SDKs wait for each answer before they ask again. A client that
 * sends without waiting would otherwise multiply every limit: all it sends is parsed, and answers it does not read pile up.
 */
import type { Socket } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";

const UNDER_WAY_MAX = 16;

const underWay = new WeakMap<Socket, number>();

/** False when the connection had too many: it is closed, and nothing more is done for this request. */
export const noteUnderWay = (request: FastifyRequest, reply: FastifyReply): boolean => {
  const { socket } = request.raw;
  const count = (underWay.get(socket) ?? 0) + 1;
  if (count > UNDER_WAY_MAX) {
    socket.destroy();
    return false;
  }
  underWay.set(socket, count);
  reply.raw.once("close", () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
  return true;
};
