/** Delivery metrics that monitoring reads from the operations listener of a worker process. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startWorker } from "#compose/worker.ts";
import { sendPing } from "#platform/events/webhook-deliveries/service/endpoints.ts";
import { addEndpoint } from "#platform/events/webhooks/service/endpoints.ts";
import { CHILD_ENVIRONMENT, freePort } from "../support/processes.ts";
import { bundled } from "../support/shared-by-files.ts";
import { forVenue, startApp, type TestApp } from "../support/test-app.ts";
import { createLocalSender, startReceiver } from "../support/webhook-receiver.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;

let app: TestApp;
let worker: ChildProcess | null = null;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  app.clock.set(new Date().toISOString());
  await app.venue("lab");
});
afterEach(() => {
  worker?.kill("SIGKILL");
  worker = null;
});
afterAll(() => app.close());

const add = (url: string): Promise<number> =>
  forVenue(app.deps, "lab", async (ctx) => {
    const { endpoint } = await addEndpoint(ctx, { url, events: ["order.created"], description: null }, app.deps.config.encryptionKeys);
    return endpoint.id;
  });
const ping = (id: number) => forVenue(app.deps, "lab", (ctx) => sendPing(ctx, id));
const until = async (isSo: () => Promise<boolean>): Promise<void> => {
  for (const deadline = Date.now() + 100_000; !(await isSo()); await sleep(50))
    if (Date.now() > deadline) throw new Error("It did not happen in time");
};

/** A line's value; undefined when there is no such line. */
const readMetric = (page: string, line: string): number | undefined => {
  const found = page.split("\n").find((candidate) => candidate.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
};

test("what is due, and for how long it has been, is on the first page that is asked for", async () => {
  const id = await add("https://receiver.example.com/first");
  app.clock.advance(-3_600_000);
  await ping(id);
  app.clock.advance(3_600_000);
  const page = await app.deps.metrics.registry.metrics();
  expect(readMetric(page, 'comanda_deliveries_pending{state="ready"}')).toBe(1);
  expect(readMetric(page, 'comanda_deliveries_pending{state="waiting"}')).toBe(0);
  expect(readMetric(page, "comanda_delivery_oldest_due_seconds")).toBeGreaterThan(3590);
  await app.database.asOwner("update deliveries set state = 'failed', due_at = null");
});

test("what was delivered is counted as such", async () => {
  const receiver = await startReceiver();
  const serving = await startWorker(app.deps, { sender: createLocalSender(receiver.authority.cert) });
  const delivered = async () =>
    readMetric(await app.deps.metrics.registry.metrics(), 'comanda_delivery_attempts_total{outcome="delivered"}');
  try {
    expect(await delivered()).toBeUndefined();
    const id = await add(receiver.url);
    await ping(id);
    await ping(id);
    await until(async () => (await delivered()) === 2);
  } finally {
    await serving.stop();
    await receiver.close();
  }
});

test("a worker with OPS_PORT says that it lives, that it is ready, and how deliveries get on; without an API", async () => {
  const port = await freePort();
  const settings = { DATABASE_URL: app.database.appUrl, OPS_PORT: String(port), ENCRYPTION_KEYS, LOG_LEVEL: "warn" };
  worker = spawn(process.execPath, [await bundled(MAIN), "worker"], {
    env: { ...CHILD_ENVIRONMENT, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => worker?.once("exit", resolve));
  let output = "";
  worker.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
  await until(async () => (await get("/livez"))?.status === 200);
  // Ready once it can claim something.
  await until(async () => (await get("/readyz"))?.status === 200);
  expect((await get("/api/v1/menus"))?.status).toBe(404);
  const page = async () => (await (await get("/metrics"))?.text()) ?? "";
  expect(readMetric(await page(), "comanda_delivery_oldest_due_seconds")).toBe(0);
  // A name that never resolves (RFC 6761 §6.4): a failure that needs no network.
  const id = await add("https://nowhere.invalid/second");
  await ping(id);
  await ping(id);
  // Which of the two depends on whether a name server here knows the name.
  const failed = (text: string): number =>
    ["blocked_address", "dns"].reduce(
      (sum, outcome) => sum + (readMetric(text, `comanda_delivery_attempts_total{outcome="${outcome}"}`) ?? 0),
      0,
    );
  await until(async () => failed(await page()) === 2);
  await until(async () => readMetric(await page(), 'comanda_deliveries_pending{state="waiting"}') === 2);
  expect(readMetric(await page(), 'comanda_deliveries_pending{state="ready"}')).toBe(0);
  worker.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(output).toBe("");
  expect(await get("/livez")).toBeNull();
});
