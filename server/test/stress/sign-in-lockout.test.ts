/** Wrong passwords from everywhere: the owner comes in from a known device at once, and from a new one by a mailed link. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WRONG_PER_ACCOUNT_MAX } from "#platform/sign-in/accounts/rules.ts";
import { type ConsoleAnswer, consoleCall, createUser, PASSWORD, requestedLink, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const ATTEMPTS = process.env.TEST_STRESS ? 10_000 : 150;
const AT_ONCE = 25;
const PROMPT_MS = 2000;
const UNKNOWN_EMAIL = "unknown@example.com";

let app: TestApp;
let owner: TestUser;
let slug: string;
let seen: Record<string, number>;

const open = async (plant?: InjectedFault): Promise<TestUser> => {
  const environment = { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, TRUSTED_PROXIES: "127.0.0.1" };
  app = await startApp({ environment, ...(plant ? { pool: faultInjectingPool(plant) } : {}) });
  ({ slug } = await app.venue("lab"));
  return createUser(app, slug, "owner", "ada@example.com");
};

const signIn = (email: string, password: string, options: { from: string; devices?: string | null }): Promise<ConsoleAnswer> =>
  consoleCall(app, "POST", "/session", { body: { email, password }, ...options });

const addressOf = (index: number): string => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;

/** Each wrong password comes from an address of its own. */
const attack = async (email: string, attempts: number): Promise<Record<string, number>> => {
  const seen: Record<string, number> = {};
  for (let begun = 0; begun < attempts; begun += AT_ONCE)
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, attempts - begun) }, async (_, index) => {
        const answer = await signIn(email, "not the password", { from: addressOf(begun + index) });
        const outcome = `${answer.status} ${answer.body.error.code}`;
        seen[outcome] = (seen[outcome] ?? 0) + 1;
      }),
    );
  return seen;
};

const timed = async <T>(work: Promise<T>): Promise<[T, number]> => {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
};

describe(`${ATTEMPTS} wrong passwords from as many addresses`, () => {
  beforeAll(async () => {
    owner = await open();
    seen = await attack(owner.email, ATTEMPTS);
  }, 600_000);
  afterAll(() => app.close());

  test("are compared up to the limit of the account, and refused unseen beyond it", () => {
    expect(seen["401 sign_in_failed"]).toBeGreaterThanOrEqual(WRONG_PER_ACCOUNT_MAX);
    expect(seen["401 sign_in_failed"]).toBeLessThan(WRONG_PER_ACCOUNT_MAX + AT_ONCE);
    expect(seen["403 sign_in_link_required"]).toBe(ATTEMPTS - (seen["401 sign_in_failed"] ?? 0));
  });

  test("leave the owner on a known device alone", async () => {
    const [known, ms] = await timed(signIn(owner.email, PASSWORD, { from: "192.0.2.7", devices: owner.devices }));
    expect([known.status, known.cookie?.length]).toEqual([201, 43]);
    expect(ms).toBeLessThan(PROMPT_MS);
    console.info(`lock-out: ${ATTEMPTS} attempts → ${JSON.stringify(seen)}; owner on a known device after ${ms.toFixed(0)} ms`);
    // What is done inside a session is counted by the session.
    const body = { password: PASSWORD };
    expect((await consoleCall(app, "POST", "/session/password", { cookie: known.cookie, body, from: addressOf(1) })).status).toBe(200);
  });

  test("send the owner on a new device to a mailed link, which makes the device known", async () => {
    const unknown = await signIn(owner.email, PASSWORD, { from: "192.0.2.8" });
    expect([unknown.status, unknown.body.error.code]).toEqual([403, "sign_in_link_required"]);
    const ask = await consoleCall(app, "POST", "/sign-in-link", { body: { email: owner.email }, from: "192.0.2.8" });
    expect(ask.status).toBe(202);
    const secret = await requestedLink(app, owner.email);
    const used = await consoleCall(app, "POST", "/links/sign-in", { body: { secret }, from: "192.0.2.8" });
    expect([used.status, used.body.data?.person.email]).toEqual([201, owner.email]);
    expect((await signIn(owner.email, PASSWORD, { from: "192.0.2.9", devices: used.devices })).status).toBe(201);
  });

  test("are no oracle: an address without an account gets the same answer, and so does the right password", async () => {
    expect((await attack(UNKNOWN_EMAIL, WRONG_PER_ACCOUNT_MAX + AT_ONCE))["403 sign_in_link_required"]).toBeGreaterThan(0);
    const refusals = new Set<string>();
    for (const email of [owner.email, UNKNOWN_EMAIL]) {
      for (const password of [PASSWORD, "not the password"]) {
        const { status, text, headers } = await signIn(email, password, { from: "192.0.2.10", devices: "0".repeat(43) });
        refusals.add(JSON.stringify([status, text, headers["set-cookie"], headers["retry-after"]]));
      }
      expect((await consoleCall(app, "POST", "/sign-in-link", { body: { email } })).text).toBe('{"data":{}}');
    }
    expect(refusals.size).toBe(1);
    expect(await requestedLink(app, UNKNOWN_EMAIL)).toBeNull();
  });

  test("a device of one account is no device of another, and none once it is signed out", async () => {
    const other = await createUser(app, slug, "manager", "eve@example.com");
    const tryAt = (devices: string | null) => signIn(owner.email, PASSWORD, { from: "192.0.2.7", devices });
    expect((await tryAt(other.devices)).status).toBe(403);
    const shared = await tryAt(`${other.devices}.${owner.devices}`);
    expect([shared.status, shared.devices]).toEqual([201, `${owner.devices}.${other.devices}`]);
    const rows: { id: number; is_current: boolean }[] = (await consoleCall(app, "GET", "/sessions", { cookie: shared.cookie })).body.data;
    const current = rows.find(({ is_current }) => is_current);
    expect((await consoleCall(app, "DELETE", `/sessions/${current?.id}`, { cookie: shared.cookie })).cookie).toBe("");
    expect((await tryAt(owner.devices)).status).toBe(403);
  });
});

test("planted: a known device that is not recognised is locked out", async () => {
  const hideDevices: InjectedFault = ({ text, ...rest }) =>
    text.includes("from known_devices d join") ? { ...rest, text: text.replace("where ", "where false and "), name: "planted" } : null;
  owner = await open(hideDevices);
  await attack(owner.email, WRONG_PER_ACCOUNT_MAX + AT_ONCE);
  const known = await signIn(owner.email, PASSWORD, { from: "192.0.2.7", devices: owner.devices });
  expect([known.status, known.body.error.code]).toEqual([403, "sign_in_link_required"]);
  await app.close();
});
