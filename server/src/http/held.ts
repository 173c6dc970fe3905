/** A restored copy that was not released serves no venue: one of its venues may live in another cell by now. */
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";
import { fail, type Refusal } from "#lib/errors.ts";

/** A person has to release it, so there is no point in asking every second. */
const RETRY_SECONDS = "30";

type Held = Pick<Deps, "outbound">;

export const isHeld = ({ outbound }: Held): boolean => outbound.state() === "held";

export const heldRefusal = (): Refusal => fail("service_unavailable", {}, { "Retry-After": RETRY_SECONDS });

export const refuseWhileHeld = (scope: FastifyInstance, deps: Held): void => {
  scope.addHook("onRequest", (_request, _reply, done) => done(isHeld(deps) ? heldRefusal() : undefined));
};
