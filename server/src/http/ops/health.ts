/**
 * The operator's listener: liveness, readiness and metrics. It is a separate server, so that no path on the public port reaches it and
 * load there does not take its connections.
 */
import Fastify, { type FastifyInstance } from "fastify";
import { openPool } from "#db/pool.ts";
import { takesWrites } from "#db/primary-server.ts";
import type { Deps } from "#deps.ts";

const READY_CHECK_MS_MAX = 1000;
const REQUEST_MS_MAX = 5000;

/** `isServing` is false while the process starts and while it stops. */
export const buildOpsServer = (
  { config, log, pool, metrics, outbound }: Pick<Deps, "config" | "log" | "pool" | "metrics" | "outbound">,
  isServing: () => boolean,
): FastifyInstance => {
  // A connection of its own: requests may hold all others, and a busy process is still ready.
  const probe = openPool({ url: config.databaseUrl, connectionsMax: 1, log });
  const ops = Fastify({
    routerOptions: { ignoreTrailingSlash: true },
    requestTimeout: REQUEST_MS_MAX,
    // A monitor keeps its connection open. The shutdown must not wait for it.
    forceCloseConnections: true,
  });
  ops.addHook("onClose", () => probe.end());
  ops.get("/livez", async () => ({ status: "alive" }));
  ops.get("/readyz", async (_request, reply) => {
    const isReady = isServing() && outbound.state() !== "held" && (await falseWhenLate(takesWrites(probe, pool)));
    const sending = outbound.state() === "on" ? {} : { sending: "off", reason: outbound.reason() };
    return reply.code(isReady ? 200 : 503).send({ status: isReady ? "ready" : "not ready", ...sending });
  });
  ops.get("/metrics", async (_request, reply) => reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()));
  return ops;
};

/** Listens on OPS_PORT and returns the function that closes it; null without OPS_PORT. */
export const startOpsServer = async (deps: Deps, isServing: () => boolean): Promise<(() => Promise<void>) | null> => {
  const { opsHost: host, opsPort: port } = deps.config;
  if (port === null) return null;
  const ops = buildOpsServer(deps, isServing);
  try {
    deps.log.info(`The process answers its operator at ${await ops.listen({ host, port })}`);
  } catch (error) {
    await ops.close();
    throw error;
  }
  return () => ops.close();
};

const falseWhenLate = async (answer: Promise<boolean>): Promise<boolean> => {
  const tooLate = new Promise<boolean>((resolve) => setTimeout(resolve, READY_CHECK_MS_MAX, false).unref());
  return Promise.race([answer.catch(() => false), tooLate]);
};
