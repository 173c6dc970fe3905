/** One line of the log and one observation of the histogram for each answered request. */
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";

export const addAccessLog = (app: FastifyInstance, { log, metrics }: Pick<Deps, "log" | "metrics">): void => {
  // Nothing in this line could be a secret, and looking for one in every line costs as much as writing it.
  const line = log.child({}, { redact: [] });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? "unmatched";
    metrics.observeRequest({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    line.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        restaurant: request.visitor?.tenant.id,
        actor: request.visitor?.actor.caller,
        address: request.ip,
      },
      "answered",
    );
  });
};
