/** `npm run dev`: a database of its own, the sample venues, the service, and the first commands to try. */
import { buildApp } from "#app.ts";
import { createDemo, describeDemo } from "#cli/demo.ts";
import { readConfig } from "#config.ts";
import { checkKeys } from "#db/key-check.ts";
import { openDb } from "#db/pool.ts";
import { openDeps, openLog } from "#deps.ts";
import { Misuse } from "#lib/errors.ts";
import { openNotebook } from "#platform/requests/service.ts";
import { startWorker } from "#worker.ts";
import { buildConsole, isConsoleStale } from "./console-build.ts";
import { announceService, makeDevDatabase } from "./database.ts";
import { buildReference } from "./reference-build.ts";

const INVITE = "npm run -s comanda -- staff invite trattoria-da-nino --email you@example.com --name You --role owner";

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const start = async (): Promise<void> => {
  if (isConsoleStale()) {
    say("Building the console; this happens once, and again when its source has changed …");
    if (!(await buildConsole())) say("The console could not be built. Everything else works; `npm run build` shows why.");
  }
  if (!buildReference()) say("The page at /docs could not be built. Everything else works; `npm run build` shows why.");
  say("Starting PostgreSQL …");
  const database = await makeDevDatabase(Number(process.env.CELL ?? 0));
  if (!database.isOurs) {
    throw new Misuse("The development database is already running: another `npm run dev` is open. Use that one, or stop it first.");
  }
  const config = readConfig({
    LOG_LEVEL: "warn",
    DRAIN_MS: "0",
    SECRET_KEYS: database.secretKeys,
    ...process.env,
    DATABASE_URL: database.appUrl,
  });
  const deps = await openDeps(config, { log: openLog(config.logLevel) });
  await checkKeys(deps.pool, config.secretKeys);
  const notebook = openNotebook(openDb(deps.pool), deps.log);
  const app = await buildApp(deps, { notebook });
  const worker = await startWorker(deps);
  const stop = async (code: number): Promise<void> => {
    await Promise.all([app.stop(), worker.stop()]);
    await notebook.stop();
    await deps.close();
    // A connection that PostgreSQL ends before it has read our goodbye is no news: it would bury the last thing that was said.
    deps.log.level = "silent";
    await database.close();
    process.exit(code);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop(0));
  try {
    await app.http.listen({ host: config.host, port: config.port });
  } catch (error) {
    const isTaken = (error as { code?: string }).code === "EADDRINUSE";
    process.stderr.write(isTaken ? `Port ${config.port} is taken. Choose another: PORT=4001 npm run dev\n` : `${(error as Error).stack}\n`);
    return stop(1);
  }
  const { port } = app.http.server.address() as { port: number };
  const rootUrl = config.publicUrl ?? `http://${config.host}:${port}`;
  announceService(rootUrl);
  say("Loading the sample venues …");
  // One token a venue: who opens the console first sees that one, and not the conformance kit's.
  const demo = await createDemo(deps, rootUrl, ["full"]);
  say(
    `\nComanda is open at ${rootUrl}\nThe console is at ${rootUrl}/console; this prints a link that lets you in:\n  ${INVITE}\n\n${describeDemo(demo)}\n\n  Stop with Ctrl+C; the data stays in .comanda/`,
  );
};

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Misuse ? error.message : (error as Error).stack}\n`);
  process.exit(1);
});
