/** Logs each answered request and observes its duration. */
import { FAULT_HEADER } from "@comanda/contract/sandbox/sandbox-operations.ts";
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";

export const addAccessLog = (app: FastifyInstance, { log, metrics }: Pick<Deps, "log" | "metrics">): void => {
  // This line holds no secret, and redaction would cost as much as writing it.
  const line = log.child({}, { redact: [] });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? "unmatched";
    // A fault that a sandbox ordered says nothing about the service.
    if (!reply.raw.hasHeader(FAULT_HEADER))
      metrics.observeRequest({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    line.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        restaurant: request.auth.principal?.tenant.id,
        actor: request.auth.principal?.actor.caller,
        address: request.ip,
      },
      "answered",
    );
  });
};
