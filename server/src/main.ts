/** `main.ts [api|worker|all]`: starts the roles and stops them gracefully, nothing else. */
import Fastify from "fastify";
import { buildApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { openDb } from "./db/pool.ts";
import { closeOnSignal, type Deps, openDeps } from "./deps.ts";
import { stopAccepting } from "./http/drain.ts";
import { addOperatorDoors } from "./http/operator.ts";
import { Misuse } from "./lib/errors.ts";
import { openNotebook } from "./platform/requests/service.ts";
import { startWorker, type Worker } from "./worker.ts";

const ROLES = ["api", "worker", "all"];

const start = async (): Promise<void> => {
  const role = process.argv[2] ?? "all";
  if (!ROLES.includes(role)) throw new Misuse(`Unknown role ${role}: use ${ROLES.join(", ")}.`);
  const deps = await openDeps(readConfig(process.env));
  if (role !== "worker" && deps.redis === null)
    deps.log.warn("REDIS_URL is not set: rate limits are counted by this process alone, so run only one");
  const stops: (() => Promise<void>)[] = [];
  if (role !== "worker") stops.push(await listen(deps));
  let worker: Worker | null = null;
  // Before the work begins: a port that is taken must not end a worker that is already sending.
  if (role === "worker" && deps.config.metricsPort !== null)
    stops.push(await listenForOperator(deps, deps.config.metricsPort, () => worker?.isServing() ?? false));
  if (role !== "api") {
    worker = await startWorker(deps);
    stops.push(worker.stop);
  }
  closeOnSignal(deps, stops);
};

const listen = async (deps: Deps): Promise<() => Promise<void>> => {
  const { host, port, reusePort } = deps.config;
  const notebook = openNotebook(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { notebook });
  await app.http.listen({ host, port, ...(reusePort ? { reusePort } : {}) });
  return async () => {
    if (reusePort) await stopAccepting(app.http.server);
    await app.stop();
    await notebook.stop();
  };
};

/** A worker has no API, but whoever runs it wants to know how it is doing. */
const listenForOperator = async (deps: Deps, port: number, isServing: () => boolean): Promise<() => Promise<void>> => {
  const http = Fastify();
  addOperatorDoors(http, deps, { isDraining: () => !isServing() });
  deps.log.info(`The worker answers its operator at ${await http.listen({ host: deps.config.host, port })}`);
  return () => http.close();
};

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Misuse ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
