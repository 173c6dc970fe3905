/** `main.ts [api|worker|all]`: starts the roles and stops them gracefully, nothing else. */
import { buildApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { checkKeys } from "./db/key-check.ts";
import { openDb } from "./db/pool.ts";
import { closeOnSignal, type Deps, openDeps } from "./deps.ts";
import { stopAccepting } from "./http/drain.ts";
import { listenForOperator } from "./http/ops.ts";
import { Misuse } from "./lib/errors.ts";
import { openNotebook } from "./platform/requests/service.ts";
import { startWorker } from "./worker.ts";

const ROLES = ["api", "worker", "all"];

/** A part of the process that serves. */
type Role = { isServing(): boolean; stop(): Promise<void> };

const start = async (): Promise<void> => {
  const role = process.argv[2] ?? "all";
  if (!ROLES.includes(role)) throw new Misuse(`Unknown role ${role}: use ${ROLES.join(", ")}.`);
  const deps = await openDeps(readConfig(process.env));
  await checkKeys(deps.pool, deps.config.secretKeys);
  if (role !== "worker" && deps.redis === null)
    deps.log.warn("REDIS_URL is not set: rate limits are counted by this process alone, so run only one");
  const roles: Role[] = [];
  let isUp = false;
  // Before the work begins: a port that is taken must not end a worker that is already sending. Closed last, so that a proxy sees the
  // process turn not ready before it goes.
  const closeOps = await listenForOperator(deps, () => isUp && roles.every(({ isServing }) => isServing()));
  if (closeOps === null) deps.log.warn("OPS_PORT is not set: nobody can ask this process whether it is ready");
  if (role !== "worker") roles.push(await serveRequests(deps));
  if (role !== "api") roles.push(await startWorker(deps));
  isUp = true;
  closeOnSignal(deps, [
    async () => {
      isUp = false;
      await Promise.all(roles.map(({ stop }) => stop()));
      await closeOps?.();
    },
  ]);
};

const serveRequests = async (deps: Deps): Promise<Role> => {
  const { host, port, reusePort } = deps.config;
  const notebook = openNotebook(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { notebook });
  await app.http.listen({ host, port, ...(reusePort ? { reusePort } : {}) });
  return {
    isServing: () => !app.isDraining(),
    async stop() {
      if (reusePort) await stopAccepting(app.http.server);
      await app.stop();
      await notebook.stop();
    },
  };
};

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Misuse ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
