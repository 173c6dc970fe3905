/** The doors for whoever runs the service: is it alive, is it ready, how is it doing. */
import type { FastifyInstance } from "fastify";
import type { Deps } from "#deps.ts";
import type { Drain } from "./drain.ts";

const READY_CHECK_MS_MAX = 1000;

export const addOperatorDoors = (app: FastifyInstance, { pool, log, metrics }: Deps, drain: Pick<Drain, "isDraining">): void => {
  app.get("/livez", async () => ({ status: "alive" }));
  app.get("/readyz", async (_request, reply) => {
    const isReady = !drain.isDraining() && (await answers(pool.query("select 1")));
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready" });
  });
  // Nothing in this line could be a secret, and looking for one in every line costs as much as writing it.
  const line = log.child({}, { redact: [] });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    const route = request.routeOptions.url ?? "unmatched";
    const seconds = reply.elapsedTime / 1000;
    metrics.observeRequest({ method: request.method, route, status: reply.statusCode }, seconds);
    if (route === "/livez" || route === "/readyz" || route === "/metrics") return;
    const restaurant = request.visitor?.tenant.id;
    line.info(
      {
        request_id: request.id,
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        restaurant,
        actor: request.visitor?.actor.caller,
        address: request.ip,
      },
      "answered",
    );
  });
  app.get("/metrics", async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
};

const answers = async (question: Promise<unknown>): Promise<boolean> => {
  const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, READY_CHECK_MS_MAX, false).unref());
  return Promise.race([question.then(() => true).catch(() => false), tooLate]);
};
