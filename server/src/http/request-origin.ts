import type { FastifyRequest } from "fastify";
import type { Ctx } from "#lib/context.ts";

export const requestOrigin = (request: FastifyRequest): Pick<Ctx, "log" | "origin"> => ({
  log: request.log,
  origin: { requestId: request.id, address: request.ip },
});
