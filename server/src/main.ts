/** `main.ts [api|worker|all]`: starts the roles and stops them gracefully. */
import { buildApp } from "./compose/api.ts";
import { checkSignUpPlan } from "./compose/sign-up-plan.ts";
import { startWorker } from "./compose/worker.ts";
import { readConfig } from "./config.ts";
import { checkKeys } from "./db/encryption-key-check.ts";
import { openDb } from "./db/pool.ts";
import { closeOnSignal, type Deps, openDeps } from "./deps.ts";
import { stopAccepting } from "./http/ops/graceful-shutdown.ts";
import { startOpsServer } from "./http/ops/health.ts";
import { explain } from "./lib/described-error.ts";
import { UserError } from "./lib/errors.ts";
import { createRequestLogBuffer } from "./platform/activity/request-log/service.ts";

const ROLES = ["api", "worker", "all"];

/** A running role. */
type RunningRole = { isServing(): boolean; stop(): Promise<void> };

const start = async (): Promise<void> => {
  const role = process.argv[2] ?? "all";
  if (!ROLES.includes(role)) throw new UserError(`Unknown role ${role}: use ${ROLES.join(", ")}.`);
  const deps = await openDeps(readConfig(process.env));
  await checkKeys(deps.pool, deps.config.encryptionKeys);
  await checkSignUpPlan(deps);
  if (role !== "worker" && deps.redis === null)
    deps.log.warn("REDIS_URL is not set: rate limits are counted by this process alone, so run only one");
  const roles: RunningRole[] = [];
  let state: "starting" | "up" | "stopping" = "starting";
  let closeOps: Awaited<ReturnType<typeof startOpsServer>> = null;
  const startRoles = async (): Promise<void> => {
    // Opened first, because an occupied port must not end a worker that already sends. Closed last, so that a proxy sees the process not
    // ready before it ends.
    closeOps = await startOpsServer(deps, () => state === "up" && roles.every(({ isServing }) => isServing()));
    if (closeOps === null) deps.log.warn("OPS_PORT is not set: this process has no health check");
    if (role !== "worker") roles.push(await serveRequests(deps));
    if (role !== "api") roles.push(await startWorker(deps));
    if (state === "starting") state = "up";
  };
  const started = startRoles();
  // Set before the first port answers. A process that gets a signal to stop while it starts finishes its start, then stops.
  closeOnSignal(deps, [
    async () => {
      state = "stopping";
      await started;
      await Promise.all(roles.map(({ stop }) => stop()));
      await closeOps?.();
    },
  ]);
  await started;
};

const serveRequests = async (deps: Deps): Promise<RunningRole> => {
  const { host, port, reusePort } = deps.config;
  const requestLog = createRequestLogBuffer(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { requestLog });
  await app.http.listen({ host, port, ...(reusePort ? { reusePort } : {}) });
  return {
    isServing: () => !app.isShuttingDown(),
    async stop() {
      if (reusePort) await stopAccepting(app.http.server);
      await app.stop();
      await requestLog.stop();
    },
  };
};

const fail = (error: unknown): void => {
  process.stderr.write(explain(error));
  process.exit(1);
};
// Node itself would print every member of the error.
process.on("uncaughtException", fail);
start().catch(fail);
