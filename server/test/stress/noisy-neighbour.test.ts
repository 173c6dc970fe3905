/**
 * One venue floods a process with 500 connections over 20 tokens and 90 console calls. Another venue, which sends one request after
 * another, is answered about as fast as before and never refused.
 *
 * @alone It compares durations.
 */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { createUser } from "../support/console-client.ts";
import type { NoiseReport, NoiseSettings } from "../support/noisy-venue.ts";
import { API, createFleet, type Fleet, type Program, UNSCHEDULED_API } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";

const NOISY_VENUE = fileURLToPath(new URL("../support/noisy-venue.ts", import.meta.url));

const LONG = Boolean(process.env.TEST_STRESS);
const CONNECTIONS = 500;
const TOKENS = 20;
const CONSOLE_CALLS = 90;
const ACTIVITY_ROWS = LONG ? 400_000 : 100_000;
/**
 * The limits are multiples of the other venue's median: when refused clients wait as Retry-After says, and when they do not. A short form
 * on a shared machine is less exact.
 */
const POLITE_MAX = LONG ? 3 : 5;
const IMPOLITE_MAX = 10;
const QUIET_MS = LONG ? 2000 : 700;
/** How a crowd connects is not measured, but what comes of it. */
const WARM_UP_MS = LONG ? 2000 : 700;
const NOISY_MS = LONG ? 6000 : 1300;
/** Windows with and without noise take turns. While the machine is busy with something else, more of them are asked for. */
const WINDOWS_MIN = LONG ? 5 : 2;
const WINDOWS_MAX = LONG ? 10 : 6;
const REST_MS = 5;

let app: TestApp;
let quiet: { venue: TestVenue; itemId: number };
let noise: Omit<NoiseSettings, "port" | "isPolite">;
let fleet: Fleet | null = null;
let noisyVenue: ChildProcess;
const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;

beforeAll(async () => {
  noisyVenue = fork(NOISY_VENUE, { execArgv: [] });
  app = await startApp({ environment: { ENCRYPTION_KEYS } });
  const open = async (slug: string) => {
    const venue = await app.venue("lab", (file) => {
      file.restaurant.slug = slug;
    });
    const { body } = await app.call(venue.token, "GET", "/items?per_page=100");
    return { venue, itemId: body.data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate").id as number };
  };
  quiet = await open("quiet");
  const { venue, itemId } = await open("noisy");
  const tokens: string[] = [];
  for (let n = 0; n < TOKENS; n++) tokens.push(await app.token(venue.slug));
  const owner = await createUser(app, venue.slug, "owner");
  expect((await owner.call("POST", `/venues/${venue.slug}/sandbox`, { body: {} })).status).toBe(201);
  await app.database.asOwner(
    `insert into audit_entries (restaurant_id, at, actor_kind, actor_name, action, subject_kind, subject_id)
     select $1, now() - n * interval '1 second', 'token', 'till', 'item.changed', 'item', (n % 5000)::text from generate_series(1, $2::integer) n`,
    [venue.id, ACTIVITY_ROWS],
  );
  await app.database.asOwner("analyze");
  noise = { tokens, connections: CONNECTIONS, itemId, cookie: owner.cookie, slug: venue.slug, consoleCalls: CONSOLE_CALLS };
}, 120_000);
afterEach(async () => {
  await fleet?.close();
  fleet = null;
});
afterAll(async () => {
  noisyVenue.disconnect();
  await app.close();
});

type RequestKind = "read" | "order";
type TimedRequest = { kind: RequestKind; ms: number; status: number };

/** Dishes and orders in turn, one after the other, none of them tried again. */
const ask = async (port: number, ms: number): Promise<TimedRequest[]> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { venue, itemId } = quiet;
  const samples: TimedRequest[] = [];
  const askOne = async (kind: RequestKind, more: { method: string; path: string; body?: object; headers?: Record<string, string> }) => {
    const begin = performance.now();
    const { status } = await sendCall({ port, agent, token: venue.token, ...more });
    samples.push({ kind, status, ms: performance.now() - begin });
    await sleep(REST_MS);
  };
  for (const end = performance.now() + ms; performance.now() < end; ) {
    await askOne("read", { method: "GET", path: `/items/${itemId}` });
    const phone = `+1 303 555 ${randomInt(1000, 9999)}`;
    const body = { type: "pickup", customer_name: "Eve", customer_phone: phone, lines: [{ item_id: itemId, quantity: 1 }] };
    await askOne("order", { method: "POST", path: "/orders", body, headers: { "idempotency-key": randomUUID() } });
  }
  agent.destroy();
  return samples;
};

const start = async (program: Program, settings: Record<string, string> = {}): Promise<number> => {
  fleet = await createFleet(app.database.appUrl, {
    ENCRYPTION_KEYS,
    CONSOLE_RATE_PER_MINUTE: "1000000",
    ...settings,
  });
  await fleet.start({}, program);
  await ask(fleet.port, LONG ? 3000 : 1000);
  return fleet.port;
};

const besideNoise = async (port: number, isPolite: boolean): Promise<{ samples: TimedRequest[]; heard: NoiseReport }> => {
  noisyVenue.send({ ...noise, port, isPolite });
  await sleep(WARM_UP_MS);
  const samples = await ask(port, NOISY_MS);
  const heard = new Promise<NoiseReport>((resolve) => noisyVenue.once("message", (message) => resolve(message as NoiseReport)));
  noisyVenue.send("stop");
  return { samples, heard: await heard };
};

const medianOf = (samples: readonly TimedRequest[], kind: RequestKind): number => {
  const sorted = samples.filter((sample) => sample.kind === kind).map(({ ms }) => ms);
  return sorted.toSorted((a, b) => a - b)[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
};

const KINDS: readonly RequestKind[] = ["read", "order"];

type NoiseComparison = { ratio: number; refused: number; text: string; heard: NoiseReport };

const compare = (before: readonly TimedRequest[], during: readonly TimedRequest[], heard: NoiseReport): NoiseComparison => {
  const ratios = KINDS.map((kind) => medianOf(during, kind) / medianOf(before, kind));
  const words = KINDS.map(
    (kind, at) => `${kind} ${medianOf(before, kind).toFixed(1)} → ${medianOf(during, kind).toFixed(1)} ms (${ratios[at]?.toFixed(2)})`,
  );
  const refused = [...before, ...during].filter(({ status }) => status >= 300).length;
  return { ratio: Math.max(...ratios), refused, heard, text: `${words.join(", ")}; ${during.length} requests, ${refused} refused` };
};

/** Both kinds of noise against the same quiet windows. */
const runComparison = async (port: number): Promise<{ polite: NoiseComparison; impolite: NoiseComparison }> => {
  const before: TimedRequest[] = [];
  const during = { polite: [] as TimedRequest[], impolite: [] as TimedRequest[] };
  const heard = { polite: {} as NoiseReport, impolite: {} as NoiseReport };
  for (let window = 1; ; window++) {
    for (const kind of ["polite", "impolite"] as const) {
      before.push(...(await ask(port, QUIET_MS)));
      const seen = await besideNoise(port, kind === "polite");
      during[kind].push(...seen.samples);
      for (const [name, count] of Object.entries(seen.heard)) heard[kind][name] = (heard[kind][name] ?? 0) + count;
      await sleep(QUIET_MS / 2);
    }
    const polite = compare(before, during.polite, heard.polite);
    const impolite = compare(before, during.impolite, heard.impolite);
    const isFair = polite.ratio <= POLITE_MAX && impolite.ratio <= IMPOLITE_MAX;
    if (window >= WINDOWS_MIN && (isFair || window >= WINDOWS_MAX)) return { polite, impolite };
  }
};

const report = (name: string, { text, heard }: NoiseComparison): void =>
  console.info(`${name}: ${text}\n  the noisy venue: ${JSON.stringify(heard)}`);

test.for([
  ["places for all of them", {}],
  ["fewer places than they are", { MAX_CONCURRENT_REQUESTS: "200" }],
] as [string, Record<string, string>][])(
  "a flood of one venue, with %s: the other is answered in time and never refused",
  { timeout: 300_000 },
  async ([name, settings], context) => {
    const timing = beginTiming(context);
    const { polite, impolite } = await runComparison(await start(API, settings));
    report(`${name}, clients that wait as told`, polite);
    report(`${name}, clients that do not`, impolite);
    expect([polite.refused, impolite.refused]).toEqual([0, 0]);
    timing.judge(() => {
      expect(polite.ratio).toBeLessThanOrEqual(POLITE_MAX);
      expect(impolite.ratio).toBeLessThanOrEqual(IMPOLITE_MAX);
    });
  },
);

test.runIf(process.env.TEST_STRESS)(
  "planted fault: without turns the same flood makes the other venue wait far longer",
  async (context) => {
    const timing = beginTiming(context);
    const port = await start(UNSCHEDULED_API);
    const before = await ask(port, QUIET_MS);
    const { samples, heard } = await besideNoise(port, false);
    const seen = compare(before, samples, heard);
    report("without turns", seen);
    timing.judge(() => expect(seen.ratio > IMPOLITE_MAX || seen.refused > 0).toBe(true));
  },
);
