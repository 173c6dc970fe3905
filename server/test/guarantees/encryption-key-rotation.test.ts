/**
 * An encryption key is replaced by the steps of the operating guide, with second factors, webhooks, a sandbox and a till; wrong keys are refused.
 *
 * @every-postgres
 */
import { spawn } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { EVENT_SAMPLES } from "@comanda/contract/events/event-samples.ts";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reencryptSecrets } from "#admin/reseal.ts";
import { createSandbox, inSandbox } from "#admin/sandbox.ts";
import { asSystem } from "#compose/as-system.ts";
import { startWorker } from "#compose/worker.ts";
import { checkKeys } from "#db/encryption-key-check.ts";
import { encrypt, parseEncryptionKeys } from "#lib/encryption.ts";
import { codeAt, stepAt } from "#lib/totp.ts";
import { emit } from "#platform/events/service.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { connectPos } from "#venue/kitchen/pos/service.ts";
import { moveVenue } from "../../../cells/src/move.ts";
import { asAdmin } from "../support/admin-connection.ts";
import { consoleCall, createUser, PASSWORD } from "../support/console-client.ts";
import { cloneDatabase, createCellDatabase, type TestDatabase } from "../support/database.ts";
import { CHILD_ENVIRONMENT } from "../support/processes.ts";
import { type AdminRun, comandaAdmin } from "../support/run-admin.ts";
import { bundled } from "../support/shared-by-files.ts";
import { dumpDatabase } from "../support/stored-text.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { testPostgres } from "../support/test-postgres.ts";
import { createLocalSender, type Receiver, startReceiver } from "../support/webhook-receiver.ts";

const CLI = fileURLToPath(new URL("../../src/admin/main.ts", import.meta.url));
const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const keyNamed = (id: string): string => `${id}:${randomBytes(32).toString("base64")}`;
const [OLD, NEW] = [keyNamed("2026"), keyNamed("2027")];

let database: TestDatabase;
/** The name of the database that is cloned; undefined is one without venues. */
let template: string | undefined;
beforeEach(async () => {
  database = await cloneDatabase(template);
});
afterEach(() => database.drop());

const run = async (file: string, args: string[], keys: string): Promise<AdminRun> => {
  const program = await bundled(file);
  return new Promise((resolve) => {
    const settings = { DATABASE_URL: database.appUrl, ENCRYPTION_KEYS: keys, PORT: "0", LOG_LEVEL: "warn" };
    const child = spawn(process.execPath, [program, ...args], { env: { ...CHILD_ENVIRONMENT, ...settings } });
    const outcome = { code: 0, stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (outcome.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (outcome.stderr += chunk.toString()));
    child.on("close", (code) => resolve({ ...outcome, code: code ?? 1 }));
  });
};

/** The application as a process with these keys would have it: it looks at them before anything else. */
const open = async (keys: string): Promise<TestApp> => {
  const app = await startApp({ database, environment: { ENCRYPTION_KEYS: keys } });
  await checkKeys(app.deps.pool, app.deps.config.encryptionKeys).catch(async (error: unknown) => {
    await app.close();
    throw error;
  });
  return app;
};
const withApp = async <T>(keys: string, work: (app: TestApp) => Promise<T>): Promise<T> => {
  const app = await open(keys);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
};
const refusal = (keys: string): Promise<string> =>
  withApp(keys, async () => "").catch((error: Error) => {
    expect(error.message.split("\n")).toHaveLength(1);
    return error.message;
  });

/** Tables in which anything at all is encrypted with that key, wherever it stands. */
const encryptedWith = async (id: string): Promise<string[]> => {
  const { text } = await dumpDatabase(database);
  const tables = text
    .split("\n")
    .flatMap((line) => (new RegExp(`\\bs1\\.${id}\\.[\\w-]{30}`).test(line) ? [line.split(" ")[0] ?? ""] : []));
  return [...new Set(tables)].toSorted();
};

const ENCRYPTED_TABLES = ["app.cell", "app.users", "app.webhook_secrets"];

type EncryptedFixture = { lab: TestVenue; email: string; totp: string; secrets: { webhook: string; sandbox: string; till: string } };

/** A venue with a second factor, a webhook, a sandbox that has one as well, and a till. */
const createEncryptedFixture = (receiver: Receiver): Promise<EncryptedFixture> =>
  withApp(OLD, async (app) => {
    const { encryptionKeys } = app.deps.config;
    const wanted = { url: receiver.url, events: ["order.created"], description: null };
    const lab = await app.venue("lab");
    const owner = await createUser(app, lab.slug, "owner");
    const totp: string = (await owner.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data.secret;
    const code = codeAt(totp, stepAt(app.clock.now()));
    expect((await owner.call("PUT", "/second-factor", { body: { code } })).status).toBe(200);
    const webhook = (await forVenue(app.deps, lab.slug, (ctx) => addEndpoint(ctx, wanted, encryptionKeys))).secret;
    await createSandbox(app.deps, lab.slug, null);
    const sandbox = (await inSandbox(app.deps, lab.slug, (ctx) => addEndpoint(ctx, wanted, encryptionKeys))).secret;
    const till = (await forVenue(app.deps, lab.slug, async (ctx) => connectPos(ctx, receiver.url, encryptionKeys))).secret;
    return { lab, email: owner.email, totp, secrets: { webhook, sandbox, till } };
  });

/** No code works twice, so each sign-in is a minute after the one before. */
let minutes = 0;

const signIn = (app: TestApp, { email, totp }: EncryptedFixture) => {
  app.clock.advance(++minutes * 60_000);
  const code = codeAt(totp, stepAt(app.clock.now()));
  return consoleCall(app, "POST", "/session", { body: { email, password: PASSWORD, code } });
};

const isSignedWith = ({ headers, body }: Receiver["received"][number], secret: string): boolean => {
  const parts = String(headers["service-signature"]).split(",");
  const t = parts.find((part) => part.startsWith("t="))?.slice(2);
  return parts.includes(`v1=${createHmac("sha256", secret).update(`${t}.${body}`).digest("hex")}`);
};

const placeOrder = async (app: TestApp, { token }: TestVenue): Promise<void> => {
  const { body } = await app.call(token, "GET", "/items?per_page=100");
  const dish = body.data.find((item: { name: { en: string } }) => item.name.en.toLowerCase().includes("plain"));
  const order = { type: "pickup", customer_name: "Ada", customer_phone: "1", lines: [{ item_id: dish.id, quantity: 1 }] };
  expect((await app.call(token, "POST", "/orders", { body: order })).status).toBe(201);
};

/** An order of the venue and an event of its sandbox, sent by a worker with these keys: which of the secrets signed what came. */
const deliverAll = async (app: TestApp, receiver: Receiver, { lab, secrets }: EncryptedFixture, patienceMs = 60_000): Promise<string[]> => {
  receiver.received.length = 0;
  await placeOrder(app, lab);
  const [row] = await database.asOwner<{ sandbox_id: string }>("select sandbox_id from sandboxes");
  await asSystem(app.deps, Number(row?.sandbox_id))(async (ctx) => emit(ctx, "order.created", EVENT_SAMPLES["order.created"].data));
  const worker = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
  const isDone = async (): Promise<boolean> => (await database.asOwner("select from deliveries where state <> 'done'")).length === 0;
  for (const deadline = Date.now() + patienceMs; !(await isDone()) && Date.now() < deadline; ) await sleep(30);
  await worker.stop();
  return Object.entries(secrets)
    .filter(([, secret]) => receiver.received.some((one) => isSignedWith(one, secret)))
    .map(([name]) => name);
};

/** Encrypts again as the command does. Returns how many values were encrypted again, or why it stopped. */
const reseal = async (keys: string, lostKey?: string): Promise<number | string> => {
  const app = await startApp({ database, environment: { ENCRYPTION_KEYS: keys } });
  try {
    const { resealed, discarded } = await reencryptSecrets(app.deps, lostKey);
    return discarded ?? resealed;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await app.close();
  }
};

describe("replacing a key as the guide says", () => {
  let receiver: Receiver;
  let prepared: TestDatabase;
  let fixture: EncryptedFixture;
  beforeAll(async () => {
    receiver = await startReceiver();
    database = prepared = await cloneDatabase();
    fixture = await createEncryptedFixture(receiver);
    template = new URL(prepared.ownerUrl).pathname.slice(1);
    // A database is cloned while it has no connection.
    const admin = await asAdmin((await testPostgres()).adminUrl, "postgres");
    await admin.query("select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1", [template]);
    await admin.end();
  });
  afterAll(async () => {
    template = undefined;
    await prepared.drop();
    await receiver.close();
  });

  test("sign-in, webhooks, sandbox, till and a move work before, between and after the steps, and nothing is left of the old key", async () => {
    expect(await encryptedWith("2026")).toEqual(ENCRYPTED_TABLES);
    // 1. Behind the old one, process by process: those that have it and those that do not start beside each other.
    for (const keys of [OLD, `${OLD},${NEW}`, OLD])
      await withApp(keys, async (app) => expect((await signIn(app, fixture)).status).toBe(201));
    // 2. In front, process by process, and `reseal`.
    for (const keys of [`${NEW},${OLD}`, `${OLD},${NEW}`])
      await withApp(keys, async (app) => expect(await deliverAll(app, receiver, fixture)).toEqual(["webhook", "sandbox", "till"]));
    const command = await run(CLI, ["reseal"], `${NEW},${OLD}`);
    expect(command).toEqual({
      code: 0,
      stderr: expect.stringMatching(/^PostgreSQL at .*\n$/),
      stdout: 'Encrypted again with the key "2027": 4.\n',
    });
    await withApp(`${OLD},${NEW}`, async (app) => expect((await signIn(app, fixture)).status).toBe(201));
    // 3. The old one is taken out.
    await withApp(NEW, async (app) => {
      expect((await signIn(app, fixture)).status).toBe(201);
      expect(await deliverAll(app, receiver, fixture)).toEqual(["webhook", "sandbox", "till"]);
    });
    expect(await encryptedWith("2026")).toEqual([]);
    expect(await reseal(NEW)).toBe(0);
    const other = await createCellDatabase(1);
    const wanted = { fromUrl: database.ownerUrl, toUrl: other.ownerUrl, slug: "lab", lateReadsMs: 0 };
    await expect(moveVenue({ ...wanted, encryptionKeys: parseEncryptionKeys(OLD) ?? [] })).rejects.toThrow(
      /could not be opened in the other cell/,
    );
    expect(await moveVenue({ ...wanted, encryptionKeys: parseEncryptionKeys(NEW) ?? [] })).toMatchObject({ cell: 1 });
    await other.drop();
  });

  test("an encrypted column that is new is visited; one without its purpose stops the command; a run that skips one is found", async () => {
    await database.asOwner("alter table webhook_endpoints add column encrypted_note text");
    expect(await reseal(`${NEW},${OLD}`)).toMatch(/webhook_endpoints\.encrypted_note has no comment "encrypted for …"/);
    // What was encrypted for a person opens for an address whose description is the person's number.
    await database.asOwner(`comment on column webhook_endpoints.encrypted_note is 'encrypted for totp:{description}'`);
    await database.asOwner(
      "update webhook_endpoints set (description, encrypted_note) = (select id::text, encrypted_totp_secret from users where encrypted_totp_secret is not null) where kind = 'webhook'",
    );
    const [before] = await database.asOwner<{ of: string }>("select pg_get_functiondef('encrypted_columns'::regproc) as of");
    await database.asOwner((before?.of ?? "").replace("where c.relnamespace", "where c.relname <> 'webhook_endpoints' and c.relnamespace"));
    expect(await reseal(`${NEW},${OLD}`)).toBe(4);
    expect(await encryptedWith("2026")).toEqual(["app.webhook_endpoints"]);
    await database.asOwner(before?.of ?? "");
    expect(await refusal(NEW)).toMatch(/"2026"/);
    expect(await reseal(`${NEW},${OLD}`)).toBe(2);
    expect(await encryptedWith("2026")).toEqual([]);
  });

  test("a run that is cut short leaves the canary to the end, and the next run does the rest in bounded batches", async () => {
    const keys = parseEncryptionKeys(OLD) ?? [];
    const people = await database.asOwner<{ id: string }>(
      "insert into users (email, name, created_at, updated_at) select n || '@example.com', 'Many', now(), now() from generate_series(1, 450) n returning id",
    );
    const encrypted = people.map(({ id }) => ({ id, text: encrypt(keys, "secret", `totp:${id}`) }));
    const write =
      "update users p set encrypted_totp_secret = s.text from jsonb_to_recordset($1::jsonb) s (id bigint, text text) where p.id = s.id";
    await database.asOwner(write, [JSON.stringify(encrypted)]);
    // One is encrypted for another user: it cannot be decrypted, and the run ends there.
    await database.asOwner(write, [JSON.stringify([{ id: people.at(-1)?.id, text: encrypted[0]?.text }])]);
    expect(await reseal(`${NEW},${OLD}`)).toMatch(/totp:\d+ in users\.encrypted_totp_secret could not be opened/);
    expect(await encryptedWith("2026")).toEqual(expect.arrayContaining(["app.cell", "app.users"]));
    expect(await refusal(NEW)).toMatch(/"2026"/);
    await database.asOwner(write, [JSON.stringify(encrypted.slice(-1))]);
    expect(await reseal(`${NEW},${OLD}`)).toBeGreaterThan(3);
    expect(await encryptedWith("2026")).toEqual([]);
    await withApp(NEW, async (app) => expect((await signIn(app, fixture)).status).toBe(201));
  });

  test("a worker that lacks a key spends no attempt on what it cannot sign; one that has it sends all of it", async () => {
    const waiting = () => database.asOwner("select attempts, state, last_failure from deliveries");
    const app = await startApp({ database, environment: { ENCRYPTION_KEYS: NEW } });
    // Jobs are due by the database's clock.
    app.clock.set(new Date().toISOString());
    expect(await deliverAll(app, receiver, fixture, 2500)).toEqual([]);
    await app.close();
    expect(await waiting()).toEqual(Array.from({ length: 3 }, () => ({ attempts: 0, state: "waiting", last_failure: "secret" })));
    expect(await database.asOwner("select from delivery_attempts")).toEqual([]);
    await withApp(OLD, async (right) => {
      right.clock.set(new Date(Date.now() + 60_000).toISOString());
      expect(await deliverAll(right, receiver, fixture)).toEqual(["webhook", "sandbox", "till"]);
      expect(receiver.received.length).toBeGreaterThanOrEqual(6);
    });
  });

  test("what a lost key encrypted is taken out only when its name is given; then the service starts, and the factor is gone", async () => {
    expect(await reseal(NEW)).toMatch(/"2026"/);
    expect(await reseal(NEW, "2027")).toMatch(/"2027" is in ENCRYPTION_KEYS/);
    expect(await reseal(NEW, "2026")).toBe(4);
    expect(await encryptedWith("2026")).toEqual([]);
    await withApp(NEW, async (app) => {
      const { status, body } = await consoleCall(app, "POST", "/session", { body: { email: fixture.email, password: PASSWORD } });
      expect([status, body.data.person.has_second_factor]).toEqual([201, false]);
      await placeOrder(app, fixture.lab);
    });
  });
});

describe("keys that do not fit", () => {
  test("a process with a foreign key refuses to start and names the key; nothing was encrypted but the canary", async () => {
    await withApp(OLD, async () => undefined);
    expect(await refusal(NEW)).toBe(
      'The key "2026" that encrypted secrets of this database is not in ENCRYPTION_KEYS: put it behind the current one.',
    );
    expect(await refusal("")).toMatch(/"2026".*is not in ENCRYPTION_KEYS/);
    for (const role of ["api", "worker"]) {
      const { code, stderr } = await run(MAIN, [role], NEW);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^The key "2026" .*\n$/)]);
    }
    for (const args of [
      ["webhook", "add", "lab", "--url", "https://receiver.example/"],
      ["pos", "connect", "lab", "--url", "https://pos.example/"],
    ])
      expect(await comandaAdmin(args, { DATABASE_URL: database.appUrl, ENCRYPTION_KEYS: NEW })).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^PostgreSQL at .*\nThe key "2026" .*\n$/),
      });
    const list = await comandaAdmin(["venue", "list", "--json"], { DATABASE_URL: database.appUrl, ENCRYPTION_KEYS: NEW });
    expect(list).toMatchObject({ code: 0 });
  });

  test("a key of the same name with other bytes is refused, in front or behind, although nothing is encrypted with it", async () => {
    await withApp(`${OLD},${NEW}`, async () => undefined);
    const sentence = /^The key "2027" in ENCRYPTION_KEYS has other bytes .* a new key needs a new name\.$/;
    for (const keys of [`${OLD},${keyNamed("2027")}`, `${keyNamed("2027")},${OLD}`]) expect(await refusal(keys)).toMatch(sentence);
    expect(await refusal(keyNamed("2026"))).toMatch(/"2026"/);
    expect(await refusal(`${NEW},${OLD}`)).toBe("");
  });

  test("of two first starts at once with different keys, one is refused", async () => {
    const outcomes = await Promise.all([refusal(OLD), refusal(NEW)]);
    expect(outcomes.filter((sentence) => sentence === "")).toHaveLength(1);
  });

  test("a database without keys stays open to processes without keys", async () => {
    expect(await refusal("")).toBe("");
    expect(await database.asOwner("select from cell where encrypted_canary is not null")).toEqual([]);
  });
});
