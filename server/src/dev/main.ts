/** `npm run dev`: starts a database and the service, loads the sample venues, and prints the first commands to try. */

import { createInterface } from "node:readline/promises";
import { forVenue } from "#admin/command-context.ts";
import { createDemo, describeDemo } from "#admin/demo.ts";
import { buildApp } from "#compose/api.ts";
import { checkSignUpPlan } from "#compose/sign-up-plan.ts";
import { startWorker } from "#compose/worker.ts";
import { type Config, readConfig } from "#config.ts";
import { checkKeys } from "#db/encryption-key-check.ts";
import { openDb } from "#db/pool.ts";
import { type Deps, openDeps, openLog } from "#deps.ts";
import { startOpsServer } from "#http/ops/health.ts";
import { errorText, explain } from "#lib/described-error.ts";
import { UserError } from "#lib/errors.ts";
import { hashPassword } from "#lib/passwords.ts";
import { createRequestLogBuffer } from "#platform/activity/request-log/service.ts";
import { addStaff } from "#platform/people/memberships/service.ts";
import { linkUrlOf } from "#platform/sign-in/one-time-links/rules/link-policy.ts";
import { createSignInLink } from "#platform/sign-in/one-time-links/service.ts";
import type { MessageSender } from "../platform/messages/notifications/service.ts";
import { buildConsole, buildSite, isConsoleStale, isSiteStale } from "./builds.ts";
import { announceService, createDevDatabase, type DevDatabase } from "./database.ts";
import { startDemoEvening } from "./demo-evening/demo-evening.ts";
import { buildReference } from "./reference-build.ts";

const DEMO_VENUE = "trattoria-da-nino";
const DEMO_OWNER = { email: "nina@example.com", name: "Nina" };
/** Some pages ask for it again. It is the same everywhere, so the account gets it only where other machines cannot reach the service. */
const DEMO_PASSWORD = "nina and the trattoria";
const OWN_MACHINE = ["127.0.0.1", "::1", "localhost"];
/** Switches the simulated evening off: the sample venues keep their hours and have no orders but their own. */
const isQuiet = process.env.DEMO === "quiet";
const INVITE = "npm run -s comanda-admin -- staff invite trattoria-da-nino --email you@example.com --name You --role owner";
/** A placeholder for the development database while the other settings are checked. */
const NOT_STARTED = { appUrl: "postgres://127.0.0.1/comanda", encryptionKeys: "" };

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** Closes the open resources; in the order of opening. */
const closers: (() => Promise<unknown>)[] = [];
let isStopping = false;

/** Runs once: the terminal and npm both send the signal on Ctrl+C, and work that is still starting must not report a missing database. */
const stop = async (code: number): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  for (const close of closers.toReversed())
    await close().catch((error: Error) => {
      process.stderr.write(`${errorText(error)}\n`);
    });
  process.exit(code);
};

const readDevConfig = ({ appUrl, encryptionKeys }: Pick<DevDatabase, "appUrl" | "encryptionKeys">): Config =>
  readConfig({
    LOG_LEVEL: "warn",
    SHUTDOWN_GRACE_MS: "0",
    SIGN_UP: "open",
    SIGN_UP_PLAN: "complete",
    ENCRYPTION_KEYS: encryptionKeys,
    ...process.env,
    DATABASE_URL: appUrl,
  });

/** Asks on a terminal; without one, only the option starts over. */
const mayStartOver = async (): Promise<boolean> => {
  if (process.argv.includes("--start-over")) return true;
  if (!process.stdin.isTTY) return false;
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(
    "The development database was made by other migrations. Start over with an empty database? [y/N] ",
  );
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
};

const openDatabase = async (cell: number): Promise<DevDatabase> => {
  say("Starting PostgreSQL …");
  const database = await createDevDatabase(cell, mayStartOver);
  closers.push(database.close);
  if (database.isOurs) return database;
  throw new UserError(
    "The development database is already running: another `npm run dev` is open. Use that one, or stop it first. If none is open, one was killed: `kill -INT $(head -1 .comanda/postgres/data/postmaster.pid)` stops its PostgreSQL.",
  );
};

const start = async (): Promise<void> => {
  const { cell } = readDevConfig(NOT_STARTED);
  if (isConsoleStale()) {
    say("Building the console; this happens once, and again when its source has changed …");
    if (!(await buildConsole())) say("The console could not be built. Everything else works; `npm run build` shows why.");
  }
  if (isSiteStale()) {
    say("Building the pages of the guides; this happens once, and again when they have changed …");
    if (!(await buildSite())) say("The pages of the guides could not be built. Everything else works; `npm run build` shows why.");
  }
  if (!buildReference()) say("The page at /docs could not be built. Everything else works; `npm run build` shows why.");
  const config = readDevConfig(await openDatabase(cell));
  const deps = await openDeps(config, { log: openLog(config.logLevel) });
  closers.push(async () => {
    await deps.close();
    // PostgreSQL may end a connection before the pool closes it. Logging that would hide the last useful line.
    deps.log.level = "silent";
  });
  await checkKeys(deps.pool, config.encryptionKeys);
  await checkSignUpPlan(deps);
  const rootUrl = config.publicUrl ?? `http://${config.host}:${await serve(deps)}`;
  announceService(rootUrl);
  say("Loading the sample venues …");
  // One token per venue, so that the console's first view does not list those of the conformance kit.
  const demo = await createDemo(deps, rootUrl, { tokenNames: ["full"], alwaysOpen: isQuiet ? null : DEMO_VENUE });
  if (!isQuiet) closers.push(await startDemoEvening(deps, DEMO_VENUE));
  const link = await demoLink(deps, rootUrl);
  say(
    `\nComanda is open at ${rootUrl}\n\n  The orders of an evening, as its owner sees them (once, within 15 minutes):\n  ${link}\n${describeOwner(config)}\n  A link of your own: ${INVITE}\n${describeSignUp(config, rootUrl)}\n${describeDemo(demo)}\n\n  Stop with Ctrl+C; the data stays in .comanda/`,
  );
};

const isOwnMachine = ({ host }: Config): boolean => OWN_MACHINE.includes(host);

const describeOwner = (config: Config): string =>
  [
    ...(isOwnMachine(config) ? [`  Some pages ask for her password: ${DEMO_PASSWORD}`] : []),
    ...(isQuiet ? [] : ["  Giulia and Marco, who accept orders there, are simulated: DEMO=quiet npm run dev leaves the venue to you"]),
    "",
  ].join("\n");

const describeSignUp = ({ signUp }: Config, rootUrl: string): string =>
  signUp === "open" ? `  A venue of your own: ${rootUrl}/console/sign-up; its mail is printed here\n` : "";

/** Signs the owner of the sample venue in; the console opens with the orders board. */
const demoLink = async (deps: Deps, rootUrl: string): Promise<string> => {
  const firstPasswordHash = isOwnMachine(deps.config) ? await hashPassword(DEMO_PASSWORD, { account: DEMO_OWNER.email }) : null;
  return forVenue(deps, DEMO_VENUE, async (ctx) => {
    await addStaff(ctx, { ...DEMO_OWNER, role: "owner", locale: null });
    return `${linkUrlOf(rootUrl, deps.config.cell)}#${await createSignInLink(ctx, { ...DEMO_OWNER, firstPasswordHash })}`;
  });
};

/** Starts API, worker and, if OPS_PORT is set, the operator's listener. Returns the API's port. */
const serve = async (deps: Deps): Promise<number> => {
  const { host, port, opsPort } = deps.config;
  const closeOps = await listening(
    "OPS_PORT",
    opsPort,
    startOpsServer(deps, () => !isStopping),
  );
  if (closeOps) closers.push(closeOps);
  const requestLog = createRequestLogBuffer(openDb(deps.pool), deps.log);
  closers.push(() => requestLog.stop());
  const app = await buildApp(deps, { requestLog });
  closers.push(() => app.stop());
  const worker = await startWorker(deps, deps.config.smtpUrl === null ? { messageSender: printedMail(say) } : {});
  closers.push(() => worker.stop());
  await listening("PORT", port, app.http.listen({ host, port }));
  return (app.http.server.address() as { port: number }).port;
};

const listening = <T>(setting: "PORT" | "OPS_PORT", port: number | null, attempt: Promise<T>): Promise<T> =>
  attempt.catch((error: { code?: string }) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new UserError(`Port ${port} is taken. Choose another: ${setting}=${(port ?? 0) + 1} npm run dev`);
  });

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));
start().catch((error: unknown) => {
  if (!isStopping) process.stderr.write(explain(error));
  return stop(1);
});

/** Other mails, such as confirmations of the simulated evening, are noted as failed, as without a mail server. */
const WITH_LINK = /^(sign-up|link)-/;

const printedMail = (say: (text: string) => void): MessageSender => ({
  async send({ id, channel, recipient, subject, body }) {
    if (channel !== "email" || !WITH_LINK.test(String(id)))
      return { isSent: false, reason: "SMTP_URL is not set", failure: "not_set_up", isFinal: true };
    say(`\n  Mail to ${recipient}: ${subject ?? ""}\n\n${body.replaceAll(/^/gm, "  | ")}\n`);
    return { isSent: true };
  },
  close: () => undefined,
});
