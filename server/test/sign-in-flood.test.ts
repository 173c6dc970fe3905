/** Floods of passwords, from one IPv6 network or from one signed-in person: everybody else has their turn at once. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isPasswordOf } from "#lib/passwords.ts";
import { startApp, type TestApp } from "./app.ts";
import { consoleCall, hire, PASSWORD, type TestPerson } from "./console.ts";

/** More than may wait, so the queue is full all the time. */
const FLOOD = process.env.LONG ? 400 : 120;
const HONEST_MS_MAX = 2000;
/** Two hashes run, and the flood has one turn before; the rest is for a machine that does other work. */
const TURNS_MAX = 10;

let app: TestApp;
let owner: TestPerson;
let staff: TestPerson;
let hashMs: number;

beforeAll(async () => {
  const environment = { SECRET_KEYS: `test:${randomBytes(32).toString("base64")}`, TRUSTED_PROXIES: "127.0.0.1" };
  app = await startApp({ environment });
  const { slug } = await app.venue("lab");
  owner = await hire(app, slug, "owner", "ada@example.com");
  staff = await hire(app, slug, "staff", "bob@example.com");
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

type Outcome = { floodBefore: number; ms: number; status: number; flood: Record<number, number> };

/** Every attempt names another account, so that no limit of an account helps. */
const floodWhile = async (
  honest: { password: string; from: string; devices?: string },
  hostOf: (index: number) => string,
): Promise<Outcome> => {
  const flood: Record<number, number> = {};
  let ended = 0;
  const all = Array.from({ length: FLOOD }, async (_, index) => {
    const { status } = await signIn(`nobody-${randomBytes(6).toString("hex")}@example.com`, "wrong", { from: hostOf(index) });
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

test("a sign-in from elsewhere waits for a turn, not for the flood; so does one from a known device", { timeout: 180_000 }, async () => {
  hashMs = await measureHash();
  const limitMs = Math.max(HONEST_MS_MAX, TURNS_MAX * hashMs);
  const hostIn = (network: number) => (index: number) => `2001:db8:${network}:${index.toString(16)}::1`;
  // A wrong password is answered right after its hash: that shows the turn alone.
  const turn = await floodWhile({ password: "wrong", from: "192.0.2.1" }, hostIn(1));
  expect([turn.status, turn.floodBefore <= TURNS_MAX]).toEqual([401, true]);
  expect(turn.flood[503]).toBeGreaterThan(0);
  expect(Object.keys(turn.flood).every((status) => ["401", "429", "503"].includes(status))).toBe(true);
  const fresh = await floodWhile({ password: PASSWORD, from: "192.0.2.1" }, hostIn(2));
  expect([fresh.status, fresh.ms < limitMs]).toEqual([201, true]);
  const known = await floodWhile({ password: PASSWORD, from: "2001:db8:3:1::1", devices: owner.devices }, hostIn(3));
  expect([known.status, known.ms < limitMs]).toEqual([201, true]);
  console.info(
    `flood of ${FLOOD} from one /48 ${JSON.stringify(fresh.flood)}: ${turn.floodBefore} of it before the turn of another; a new device ${fresh.ms.toFixed(0)} ms, a known one ${known.ms.toFixed(0)} ms; one hash ${hashMs.toFixed(0)} ms`,
  );
});

test("planted: a sign-in that has no turn of its own waits for everybody before it", { timeout: 180_000 }, async () => {
  // As if all came from one host: forty of them, because the limit of an address is sixty.
  const flood = Array.from({ length: 40 }, (_, index) => signIn(`nobody-${index}@example.com`, "wrong", { from: "2001:db8:9:1::1" }));
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

test("right passwords of one signed-in person, all at once, keep nobody waiting; a session has twenty a minute", {
  timeout: 60_000,
}, async () => {
  const limitMs = Math.max(HONEST_MS_MAX, TURNS_MAX * hashMs);
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
    expect([who, status, ms < limitMs, attackBefore <= TURNS_MAX]).toEqual([who, 201, true, true]);
    seen.push(`${who} ${ms.toFixed(0)} ms behind ${attackBefore}`);
    expect(new Set(await Promise.all(attack))).toEqual(new Set([200]));
  }
  expect((await confirm(staff.cookie)).status).toBe(429);
  console.info(`${SESSIONS * AT_ONCE} right passwords of one person: ${seen.join(", ")}`);
});
