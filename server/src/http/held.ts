/** A restored copy that was not released serves no venue: one of its venues may live in another cell by now. */
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";
import { fail } from "#lib/errors.ts";

/** A person has to release it, so there is no point in asking every second. */
const RETRY_SECONDS = "30";

export const refuseWhileHeld = (scope: FastifyInstance, { outbound }: Pick<Deps, "outbound">): void => {
  scope.addHook("onRequest", (_request, _reply, done) => {
    done(outbound.state() === "held" ? fail("service_unavailable", {}, { "Retry-After": RETRY_SECONDS }) : undefined);
  });
};
