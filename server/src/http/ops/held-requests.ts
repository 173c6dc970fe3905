/** A restored copy that was not released serves no venue, because a venue may have moved to another cell since. */
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";
import { type ApiError, apiError } from "#lib/errors.ts";

/** An operator has to release the copy, so clients need not retry every second. */
const RETRY_SECONDS = "30";

type OutboundDeps = Pick<Deps, "outbound">;

export const isHeld = ({ outbound }: OutboundDeps): boolean => outbound.state() === "held";

export const heldError = (): ApiError => apiError("service_unavailable", {}, { "Retry-After": RETRY_SECONDS });

export const rejectWhileHeld = (scope: FastifyInstance, deps: OutboundDeps): void => {
  scope.addHook("onRequest", (_request, _reply, done) => done(isHeld(deps) ? heldError() : undefined));
};
