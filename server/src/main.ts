/** `main.ts [api|worker|all]`: starts the roles and stops them gracefully, nothing else. */
import { buildApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { type Deps, openDeps } from "./deps.ts";
import { stopAccepting } from "./http/drain.ts";
import { Misuse } from "./lib/errors.ts";
import { startWorker } from "./worker.ts";

const ROLES = ["api", "worker", "all"];

const start = async (): Promise<void> => {
  const role = process.argv[2] ?? "all";
  if (!ROLES.includes(role)) throw new Misuse(`Unknown role ${role}: use ${ROLES.join(", ")}.`);
  const deps = await openDeps(readConfig(process.env));
  if (deps.redis === null) deps.log.warn("REDIS_URL is not set: rate limits are counted by this process alone, so run only one");
  const stops: (() => Promise<void>)[] = [];
  if (role !== "worker") stops.push(await listen(deps));
  if (role !== "api") stops.push((await startWorker(deps)).stop);
  let isStopping = false;
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      deps.log.info({ signal }, "stopping");
      void Promise.all(stops.map((stop) => stop()))
        .then(() => deps.close())
        .then(() => process.exit(0));
    });
};

const listen = async (deps: Deps): Promise<() => Promise<void>> => {
  const { host, port, reusePort } = deps.config;
  const app = await buildApp(deps);
  await app.http.listen({ host, port, ...(reusePort ? { reusePort } : {}) });
  return async () => {
    if (reusePort) await stopAccepting(app.http.server);
    await app.stop();
  };
};

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Misuse ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
