import type { FastifyRequest } from "fastify";
import type { Ctx } from "#lib/context.ts";

/** What a service is told of the request behind it: where it came from, and where to write of it. */
export const cameFrom = (request: FastifyRequest): Pick<Ctx, "log" | "origin"> => ({
  log: request.log,
  origin: { requestId: request.id, address: request.ip },
});
