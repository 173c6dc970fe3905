/**
 * Floods of passwords from one IPv6 network or one signed-in user: all others are still answered at once. What others wait for is counted: the
 * hashes of the flood that end before their answer.
 *
 * @real-passwords
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { consoleCall, createUser, PASSWORD, type TestUser } from "../support/console-client.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

/** More than may wait, so the queue is full all the time. */
const FLOOD = process.env.TEST_STRESS ? 400 : 80;
/** Once a full queue is shown to give others their turn, fewer do. */
const LATER_FLOOD = process.env.TEST_STRESS ? FLOOD : 24;
/** Two hashes run, and the flood has one turn before; others end while the sign-in is stored and answered. */
const HASHES_MAX = 10;

let app: TestApp;
let owner: TestUser;
let staff: TestUser;

beforeAll(async () => {
  const environment = { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, TRUSTED_PROXIES: "127.0.0.1" };
  app = await startApp({ environment });
  const { slug } = await app.venue("lab");
  owner = await createUser(app, slug, "owner", "ada@example.com");
  staff = await createUser(app, slug, "staff", "bob@example.com");
  // A busy machine would let waits for a hash end in refusals.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterAll(() => {
  vi.useRealTimers();
  return app.close();
});

const signIn = (email: string, password: string, options: { from: string; devices?: string }) =>
  consoleCall(app, "POST", "/session", { body: { email, password }, ...options });

type FloodResult = { floodBefore: number; status: number; flood: Record<number, number> };

/** Every attempt names another account, so that no limit of an account helps. */
const floodWhile = async (
  honest: { password: string; from: string; devices?: string },
  hostOf: (index: number) => string,
  count = LATER_FLOOD,
): Promise<FloodResult> => {
  const flood: Record<number, number> = {};
  let ended = 0;
  const all = Array.from({ length: count }, async (_, index) => {
    const { status } = await signIn(`unknown-${randomBytes(6).toString("hex")}@example.com`, "wrong", { from: hostOf(index) });
    flood[status] = (flood[status] ?? 0) + 1;
    if (status === 401) ended++;
  });
  while (ended < 3) await sleep(5);
  const before = ended;
  const { password, ...options } = honest;
  const { status } = await signIn(owner.email, password, options);
  const outcome = { status, floodBefore: ended - before };
  await Promise.all(all);
  return { ...outcome, flood };
};

test("a sign-in from elsewhere waits for a turn, not for the flood; so does one from a known device", async () => {
  const hostIn = (network: number) => (index: number) => `2001:db8:${network}:${index.toString(16)}::1`;
  // A wrong password is answered right after its hash: that shows the turn alone.
  const turn = await floodWhile({ password: "wrong", from: "192.0.2.1" }, hostIn(1), FLOOD);
  expect(turn.status).toBe(401);
  expect(turn.floodBefore).toBeLessThanOrEqual(HASHES_MAX);
  expect(turn.flood[503]).toBeGreaterThan(0);
  expect(Object.keys(turn.flood).every((status) => ["401", "429", "503"].includes(status))).toBe(true);
  const fresh = await floodWhile({ password: PASSWORD, from: "192.0.2.1" }, hostIn(2));
  expect(fresh.status).toBe(201);
  expect(fresh.floodBefore).toBeLessThanOrEqual(HASHES_MAX);
  const known = await floodWhile({ password: PASSWORD, from: "2001:db8:3:1::1", devices: owner.devices }, hostIn(3));
  expect(known.status).toBe(201);
  expect(known.floodBefore).toBeLessThanOrEqual(HASHES_MAX);
  console.info(
    `flood of ${FLOOD} from one /48 ${JSON.stringify(turn.flood)}: before the turn of another ${turn.floodBefore} of it, before a new device ${fresh.floodBefore}, a known one ${known.floodBefore}`,
  );
});

test("planted: a sign-in that has no turn of its own waits for everybody before it", async () => {
  // All requests seem to come from one host.
  const flood = Array.from({ length: 20 }, (_, index) => signIn(`unknown-${index}@example.com`, "wrong", { from: "2001:db8:9:1::1" }));
  let isEnded = 0;
  const counted = flood.map((answer) => answer.then(() => isEnded++));
  while (isEnded === 0) await sleep(2);
  const { status } = await signIn(owner.email, PASSWORD, { from: "2001:db8:9:1::2" });
  expect([status, isEnded > HASHES_MAX]).toEqual([201, true]);
  await Promise.all(counted);
});

/** Sessions of one person, and as many right passwords at once in each. */
const SESSIONS = 2;
const AT_ONCE = 10;

test("right passwords of one signed-in person, all at once, delay no other request; a session has twenty a minute", async () => {
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
    const before = ended;
    const { status } = await signIn(owner.email, PASSWORD, options);
    const attackBefore = ended - before;
    expect([who, status, attackBefore <= HASHES_MAX]).toEqual([who, 201, true]);
    seen.push(`${who} behind ${attackBefore}`);
    expect(new Set(await Promise.all(attack))).toEqual(new Set([200]));
  }
  expect((await confirm(staff.cookie)).status).toBe(429);
  console.info(`${SESSIONS * AT_ONCE} right passwords of one person: ${seen.join(", ")}`);
});
