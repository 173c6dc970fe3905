/**
 * An error says what failed and where, and nothing about the guest whose data it failed with: in the log, in the row of a job, in the
 * outcome of a message, on a terminal, in an answer. The database is made to refuse rows, because its error then repeats the whole row.
 */
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Logger, pino } from "pino";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { buildApp } from "#compose/api.ts";
import { startWorker } from "#compose/worker.ts";
import { openDeps, openLogTo } from "#deps.ts";
import { createMessageSender } from "#platform/messages/notifications/send.ts";
import { consoleCall } from "../support/console-client.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../support/fake-smtp-and-sms.ts";
import { comandaAdminProcess } from "../support/run-admin.ts";
import { bundled } from "../support/shared-by-files.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const [NAME, EMAIL, NOTE] = ["Canaria Vogelsang", "canary@example.test", "Allergic to bells"] as const;
const GUEST = { name: NAME, phone: "+1 555 777 8899", email: EMAIL, note: NOTE, party_size: 2, date: "2026-12-01", time: "19:00" };
const PERSONAL = [NAME, EMAIL, NOTE, "777 8899", "7778899"];
const ROOT = join(import.meta.dirname, "../../..");
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

let mailAndSms: FakeMailAndSms;
let app: TestApp;
let lab: TestVenue;
let lines: string[] = [];

const keep = { write: (line: string) => void lines.push(line) };
const leaked = (texts: readonly string[]): string[] => texts.filter((text) => PERSONAL.some((personal) => text.includes(personal)));

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  app = await startApp({ environment: { SMTP_URL: mailAndSms.smtpUrl, SIGN_UP: "open", SIGN_UP_PLAN: "complete" } });
  lab = await app.venue("lab", (file) => {
    file.tables = [];
    file.table_combinations = [];
  });
});
afterAll(async () => {
  await app.close();
  await mailAndSms.close();
});

const refused: string[] = [];
/** The table takes from now on no row for which the condition does not hold. */
const refuseRows = async (table: string, condition: string): Promise<void> => {
  await app.database.asOwner(`alter table ${table} add constraint planted check (${condition}) not valid`);
  refused.push(table);
};
afterEach(async () => {
  for (const table of refused.splice(0)) await app.database.asOwner(`alter table ${table} drop constraint planted`);
  lines = [];
  mailAndSms.reset();
});

/** The answers to a booking and to a sign-up that the database refuses. Of a table of one venue PostgreSQL repeats no row, of others it does. */
const failBoth = async (log: Logger): Promise<{ statuses: number[]; texts: string[] }> => {
  await refuseRows("reservations", `name <> '${NAME}'`);
  await refuseRows("sign_ups", `email <> '${EMAIL}'`);
  const deps = await openDeps(app.deps.config, { clock: app.clock, log });
  const server = await buildApp(deps);
  const headers = { authorization: `Bearer ${lab.token}` };
  const booking = await server.http.inject({ method: "POST", url: "/api/v1/reservations", headers, body: GUEST });
  const signUp = await consoleCall({ ...app, app: server }, "POST", "/sign-up", { body: { email: EMAIL } });
  await server.stop();
  await deps.close();
  return { statuses: [booking.statusCode, signUp.status], texts: [booking.payload, JSON.stringify(booking.headers), signUp.text] };
};

test("a request that the database refuses: the log names the constraint and the place, not the row; the answer names neither", async () => {
  const { statuses, texts } = await failBoth(openLogTo("trace", keep));
  expect(statuses).toEqual([500, 500]);
  const errors = lines.filter((line) => line.includes("the request failed")).map((line) => JSON.parse(line).err);
  const told = { code: "23514", constraint: "planted", stack: expect.stringContaining("\n    at ") };
  expect(errors).toMatchObject(["reservations", "sign_ups"].map((table) => ({ ...told, table })));
  expect(leaked(lines)).toEqual([]);
  expect(leaked(texts)).toEqual([]);
  expect(texts.join()).not.toContain("planted");
});

test("planted: a log that writes errors as its library does has the row", async () => {
  const { statuses } = await failBoth(pino({ level: "trace" }, keep));
  expect(statuses).toEqual([500, 500]);
  expect(leaked(lines)).not.toEqual([]);
});

test("a job that the database refuses: neither the log nor the job's row has the message's row", async () => {
  const deps = await openDeps(app.deps.config, { clock: app.clock, log: openLogTo("trace", keep) });
  const messageSender = createMessageSender(app.deps.config);
  const worker = await startWorker(deps, { messageSender });
  try {
    // The job writes the secret of the link that it sends.
    await refuseRows("sign_ups", "hash is null");
    expect((await consoleCall(app, "POST", "/sign-up", { body: { email: EMAIL } })).status).toBe(202);
    const outputs = async (): Promise<string[]> => {
      const rows = await app.database.asOwner<{ output: string }>("select output::text as output from jobs.job where output is not null");
      return rows.map(({ output }) => output).filter((output) => output.includes("planted"));
    };
    await vi.waitFor(async () => expect(await outputs()).not.toEqual([]), { timeout: 30_000, interval: 50 });
    expect(leaked(await outputs())).toEqual([]);
    expect(lines.filter((line) => line.includes("a job failed")).length).toBeGreaterThan(0);
    expect(leaked(lines)).toEqual([]);
  } finally {
    await worker.stop();
    await deps.close();
  }
});

test("a mail server that repeats the address it refuses: the outcome has the refusal without the address", async () => {
  mailAndSms.answers.smtp = 550;
  const sender = createMessageSender(app.deps.config);
  const message = { id: 1, channel: "email", recipient: EMAIL, subject: "Booked", body: "See you" } as const;
  const outcome = await sender.send(message, "Lab").finally(() => sender.close());
  expect(outcome).toMatchObject({ isSent: false, isFinal: true, reason: expect.stringContaining("550 <…@…> not today") });
});

test("a command that the database refuses prints no row", async () => {
  await refuseRows("tokens", `name <> '${NAME}'`);
  const { code, stdout, stderr } = await comandaAdminProcess(["token", "create", "lab", "--name", NAME, "--scopes", "menu:read"], {
    DATABASE_URL: app.database.appUrl,
  });
  expect(code).toBe(1);
  expect(stderr).toContain("planted");
  expect(leaked([stdout, stderr])).toEqual([]);
});

test("one function reads the stack of an error, and one makes logs", () => {
  const files = ["server", "cells"]
    .flatMap((folder) => globSync(`${folder}/src/**/*.ts`, { cwd: ROOT }))
    .filter((file) => !file.endsWith(".test.ts"));
  const placesOf = (pattern: RegExp): string[] => files.filter((file) => pattern.test(readFileSync(join(ROOT, file), "utf8")));
  expect(files.length).toBeGreaterThan(300);
  expect(placesOf(/\.stack\b|\bstack[,:}]/)).toEqual(["server/src/lib/described-error.ts"]);
  // Errors in a file that an operator or owner gave are shown to them.
  const ofFiles = ["server/src/admin/venue.ts"];
  expect(placesOf(/as Error\)\.message/).sort()).toEqual(ofFiles);
  expect(placesOf(/\bpino\(/)).toEqual(["server/src/deps.ts"]);
  expect(placesOf(/\bconsole\.(?:log|error|warn|info)\(/)).toEqual([]);
});

/** Throws as soon as the program has said what to do with such an error, or never when it does not say it. */
const THROWING = `data:text/javascript,${encodeURIComponent(`
  const error = Object.assign(new Error("refused"), { detail: ${JSON.stringify(NAME)} });
  process.on("newListener", (name) => name === "uncaughtException" && setImmediate(() => { throw error; }));
`)}`;

/** The program ends with it, so what it prints is complete. */
const stderrOf = (args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, DATABASE_URL: app.database.appUrl, PORT: "0" } });
    let text = "";
    child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.on("close", () => resolve(text));
  });

test("an error that was not caught ends the service with its message and place, and Node does not print its members", async () => {
  const text = await stderrOf(["--import", THROWING, await bundled(MAIN), "worker"]);
  expect(text).toContain("Error: refused");
  expect(leaked([text])).toEqual([]);
});

test("planted: without a word on errors that were not caught, Node prints them with all members", async () => {
  const error = `Object.assign(new Error("refused"), { detail: ${JSON.stringify(NAME)} })`;
  expect(leaked([await stderrOf(["-e", `throw ${error}`])])).toHaveLength(1);
});
