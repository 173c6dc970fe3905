/** `npm run dev`: a database of its own, the sample venues, the service, and the first commands to try. */
import { buildApp } from "#app.ts";
import { createDemo, describeDemo } from "#cli/demo.ts";
import { type Config, readConfig } from "#config.ts";
import { checkKeys } from "#db/key-check.ts";
import { openDb } from "#db/pool.ts";
import { openDeps, openLog } from "#deps.ts";
import { listenForOperator } from "#http/ops.ts";
import { Misuse } from "#lib/errors.ts";
import { openNotebook } from "#platform/requests/service.ts";
import { startWorker } from "#worker.ts";
import { buildConsole, isConsoleStale } from "./console-build.ts";
import { announceService, type DevDatabase, makeDevDatabase } from "./database.ts";
import { buildReference } from "./reference-build.ts";

const INVITE = "npm run -s comanda -- staff invite trattoria-da-nino --email you@example.com --name You --role owner";
/** Stands in for the development database while the other settings are checked. */
const NOT_STARTED = { appUrl: "postgres://127.0.0.1/comanda", secretKeys: "" };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** How to close what is open, in the order of opening. */
const closers: (() => Promise<unknown>)[] = [];
let isStopping = false;

/** Once: the terminal and npm both pass Ctrl+C on, and what is begun after the first one must not report that the database is gone. */
const stop = async (code: number): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  for (const close of closers.toReversed())
    await close().catch((error: Error) => {
      process.stderr.write(`${error.stack}\n`);
    });
  process.exit(code);
};

const readDevConfig = ({ appUrl, secretKeys }: Pick<DevDatabase, "appUrl" | "secretKeys">): Config =>
  readConfig({ LOG_LEVEL: "warn", DRAIN_MS: "0", SECRET_KEYS: secretKeys, ...process.env, DATABASE_URL: appUrl });

const openDatabase = async (cell: number): Promise<DevDatabase> => {
  say("Starting PostgreSQL …");
  const database = await makeDevDatabase(cell);
  closers.push(database.close);
  if (database.isOurs) return database;
  throw new Misuse(
    "The development database is already running: another `npm run dev` is open. Use that one, or stop it first. If none is open, one was killed: `kill -INT $(head -1 .comanda/postgres/data/postmaster.pid)` stops its PostgreSQL.",
  );
};

const start = async (): Promise<void> => {
  const { cell } = readDevConfig(NOT_STARTED);
  if (isConsoleStale()) {
    say("Building the console; this happens once, and again when its source has changed …");
    if (!(await buildConsole())) say("The console could not be built. Everything else works; `npm run build` shows why.");
  }
  if (!buildReference()) say("The page at /docs could not be built. Everything else works; `npm run build` shows why.");
  const config = readDevConfig(await openDatabase(cell));
  const deps = await openDeps(config, { log: openLog(config.logLevel) });
  closers.push(async () => {
    await deps.close();
    // PostgreSQL may end a connection before we have closed it. Such a log line would only hide what was logged last.
    deps.log.level = "silent";
  });
  await checkKeys(deps.pool, config.secretKeys);
  const rootUrl = config.publicUrl ?? `http://${config.host}:${await serve(deps)}`;
  announceService(rootUrl);
  say("Loading the sample venues …");
  // One token a venue: who opens the console first sees that one, and not the conformance kit's.
  const demo = await createDemo(deps, rootUrl, ["full"]);
  say(
    `\nComanda is open at ${rootUrl}\nThe console is at ${rootUrl}/console; this prints a link that lets you in:\n  ${INVITE}\n\n${describeDemo(demo)}\n\n  Stop with Ctrl+C; the data stays in .comanda/`,
  );
};

/** API and worker, and the operator's listener if OPS_PORT is set. The port that the API listens on. */
const serve = async (deps: Awaited<ReturnType<typeof openDeps>>): Promise<number> => {
  const { host, port, opsPort } = deps.config;
  const closeOps = await listening(
    "OPS_PORT",
    opsPort,
    listenForOperator(deps, () => !isStopping),
  );
  if (closeOps) closers.push(closeOps);
  const notebook = openNotebook(openDb(deps.pool), deps.log);
  closers.push(() => notebook.stop());
  const app = await buildApp(deps, { notebook });
  closers.push(() => app.stop());
  const worker = await startWorker(deps);
  closers.push(() => worker.stop());
  await listening("PORT", port, app.http.listen({ host, port }));
  return (app.http.server.address() as { port: number }).port;
};

const listening = <T>(setting: "PORT" | "OPS_PORT", port: number | null, attempt: Promise<T>): Promise<T> =>
  attempt.catch((error: { code?: string }) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Misuse(`Port ${port} is taken. Choose another: ${setting}=${(port ?? 0) + 1} npm run dev`);
  });

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
start().catch((error: unknown) => {
  if (!isStopping) process.stderr.write(`${error instanceof Misuse ? error.message : (error as Error).stack}\n`);
  return stop(1);
});
