/**
 * Floods of passwords from one IPv6 network or one signed-in user: all others are still answered at once.
 *
 * @real-passwords
 * @alone It compares durations.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isPasswordOf } from "#lib/passwords.ts";
import { consoleCall, createUser, PASSWORD, type TestUser } from "../support/console-client.ts";
import { startApp, type TestApp } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";

/** More than may wait, so the queue is full all the time. */
const FLOOD = process.env.TEST_STRESS ? 400 : 120;
const HONEST_MS_MAX = 2000;
/** Two hashes run, and the flood has one turn before; the rest is for a machine that does other work. */
const HASHES_MAX = 10;

let app: TestApp;
let owner: TestUser;
let staff: TestUser;
let hashMs: number;

beforeAll(async () => {
  const environment = { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, TRUSTED_PROXIES: "127.0.0.1" };
  app = await startApp({ environment });
  const { slug } = await app.venue("lab");
  owner = await createUser(app, slug, "owner", "ada@example.com");
  staff = await createUser(app, slug, "staff", "bob@example.com");
});
afterAll(() => app.close());

const signIn = (email: string, password: string, options: { from: string; devices?: string }) =>
  consoleCall(app, "POST", "/session", { body: { email, password }, ...options });

/** A hash as it takes now, on a machine as busy as it is. */
const measureHash = async (): Promise<number> => {
  const startedAt = performance.now();
  await isPasswordOf(async () => null, "x", { account: "measured" });
  return performance.now() - startedAt;
};

type FloodResult = { floodBefore: number; ms: number; status: number; flood: Record<number, number> };

/** Every attempt names another account, so that no limit of an account helps. */
const floodWhile = async (
  honest: { password: string; from: string; devices?: string },
  hostOf: (index: number) => string,
): Promise<FloodResult> => {
  const flood: Record<number, number> = {};
  let ended = 0;
  const all = Array.from({ length: FLOOD }, async (_, index) => {
    const { status } = await signIn(`unknown-${randomBytes(6).toString("hex")}@example.com`, "wrong", { from: hostOf(index) });
    flood[status] = (flood[status] ?? 0) + 1;
    if (status === 401) ended++;
  });
  while (ended < 3) await sleep(5);
  const [before, startedAt] = [ended, performance.now()];
  const { password, ...options } = honest;
  const { status } = await signIn(owner.email, password, options);
  const outcome = { status, ms: performance.now() - startedAt, floodBefore: ended - before };
  await Promise.all(all);
  return { ...outcome, flood };
};

test("a sign-in from elsewhere waits for a turn, not for the flood; so does one from a known device", async (context) => {
  const timing = beginTiming(context);
  hashMs = await measureHash();
  const limitMs = Math.max(HONEST_MS_MAX, HASHES_MAX * hashMs);
  const hostIn = (network: number) => (index: number) => `2001:db8:${network}:${index.toString(16)}::1`;
  // A wrong password is answered right after its hash: that shows the turn alone.
  const turn = await floodWhile({ password: "wrong", from: "192.0.2.1" }, hostIn(1));
  expect(turn.status).toBe(401);
  timing.judge(() => expect(turn.floodBefore).toBeLessThanOrEqual(HASHES_MAX));
  expect(turn.flood[503]).toBeGreaterThan(0);
  expect(Object.keys(turn.flood).every((status) => ["401", "429", "503"].includes(status))).toBe(true);
  const fresh = await floodWhile({ password: PASSWORD, from: "192.0.2.1" }, hostIn(2));
  expect(fresh.status).toBe(201);
  timing.judge(() => expect(fresh.ms).toBeLessThan(limitMs));
  const known = await floodWhile({ password: PASSWORD, from: "2001:db8:3:1::1", devices: owner.devices }, hostIn(3));
  expect(known.status).toBe(201);
  timing.judge(() => expect(known.ms).toBeLessThan(limitMs));
  console.info(
    `flood of ${FLOOD} from one /48 ${JSON.stringify(fresh.flood)}: ${turn.floodBefore} of it before the turn of another; a new device ${fresh.ms.toFixed(0)} ms, a known one ${known.ms.toFixed(0)} ms; one hash ${hashMs.toFixed(0)} ms`,
  );
});

test("planted: a sign-in that has no turn of its own waits for everybody before it", async () => {
  // As if all came from one host: forty of them, because the limit of an address is sixty.
  const flood = Array.from({ length: 40 }, (_, index) => signIn(`unknown-${index}@example.com`, "wrong", { from: "2001:db8:9:1::1" }));
  let isEnded = 0;
  const counted = flood.map((answer) => answer.then(() => isEnded++));
  await sleep(20);
  const { status } = await signIn(owner.email, PASSWORD, { from: "2001:db8:9:1::2" });
  expect([status, isEnded > 30]).toEqual([201, true]);
  await Promise.all(counted);
});

/** Sessions of one person, and as many right passwords at once in each. */
const SESSIONS = 2;
const AT_ONCE = 10;

test("right passwords of one signed-in person, all at once, delay no other request; a session has twenty a minute", async (context) => {
  const timing = beginTiming(context);
  const limitMs = Math.max(HONEST_MS_MAX, HASHES_MAX * hashMs);
  const cookies: (string | null)[] = [staff.cookie];
  while (cookies.length < SESSIONS) cookies.push((await signIn(staff.email, PASSWORD, { from: "192.0.2.7" })).cookie);
  const confirm = (cookie: string | null) => consoleCall(app, "POST", "/session/password", { cookie, body: { password: PASSWORD } });
  const honest: [string, Parameters<typeof signIn>[2]][] = [
    ["a new device", { from: "192.0.2.8" }],
    ["a known device", { from: "192.0.2.8", devices: owner.devices }],
  ];
  const seen: string[] = [];
  for (const [who, options] of honest) {
    let ended = 0;
    const attack = cookies.flatMap((cookie) =>
      Array.from({ length: AT_ONCE }, () => confirm(cookie).then(({ status }) => [status, ended++][0])),
    );
    while (ended < 2) await sleep(2);
    const [before, startedAt] = [ended, performance.now()];
    const { status } = await signIn(owner.email, PASSWORD, options);
    const [ms, attackBefore] = [performance.now() - startedAt, ended - before];
    expect([who, status]).toEqual([who, 201]);
    timing.judge(() => expect([who, ms < limitMs, attackBefore <= HASHES_MAX]).toEqual([who, true, true]));
    seen.push(`${who} ${ms.toFixed(0)} ms behind ${attackBefore}`);
    expect(new Set(await Promise.all(attack))).toEqual(new Set([200]));
  }
  expect((await confirm(staff.cookie)).status).toBe(429);
  console.info(`${SESSIONS * AT_ONCE} right passwords of one person: ${seen.join(", ")}`);
});
