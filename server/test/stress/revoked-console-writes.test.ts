/**
 * A write of the console is recognised, then its session ends or its role is taken away, and only then its transaction begins. Every
 * write of the table × every way: none takes effect, and each gets the answer that a call afterwards gets. The short form has one way for each
 * write, all ways in turn.
 */
import { randomBytes } from "node:crypto";
import type { ConsoleOperation, Role } from "@comanda/contract/console/operation.ts";
import { consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutVenue } from "../../src/admin/command-context.ts";
import { acceptByProof, addStaff, endSessionsUntilNow, removeStaff } from "../../src/platform/people/memberships/service.ts";
import { findUser } from "../../src/platform/people/users/store.ts";
import { createSession } from "../../src/platform/sign-in/accounts/service.ts";
import { changeFactorRule } from "../../src/platform/tenants/service.ts";
import { CONSOLE_BODIES, fillConsolePath, fingerprint, placeLabOrder } from "../support/console-bodies.ts";
import { type ConsoleAnswer, consoleCall, createUser, PASSWORD } from "../support/console-client.ts";
import { createPausingPool, type PausingPool } from "../support/pausing-pool.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const IS_LONG = Boolean(process.env.TEST_STRESS);
const TRIALS_MIN = IS_LONG ? 1000 : 0;
const ENVIRONMENT = { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` };
const EMAIL = "nina@revoked.example";

let other: TestApp;
let lab: TestVenue;
let orderId: string;

/** The service under test and the place where its writes are held. */
type HeldApp = { app: TestApp; pool: PausingPool; beforeRevocation?(): Promise<unknown> };
let honest: HeldApp;

beforeAll(async () => {
  other = await startApp({ environment: ENVIRONMENT });
  lab = await other.venue("lab");
  orderId = await placeLabOrder(other, lab);
  await createUser(other, lab.slug, "owner", EMAIL);
  honest = await startHeld(createPausingPool());
});
afterAll(async () => {
  await honest.app.close();
  await other.close();
});

const startHeld = async (pool: PausingPool): Promise<HeldApp> => ({
  app: await startApp({ database: other.database, environment: ENVIRONMENT, pool: pool.open }),
  pool,
});

type ConsoleWrite = (typeof consoleEntries)[number];
const WRITES: ConsoleWrite[] = consoleEntries.filter(([, { method, who }]) => method !== "GET" && who !== "anyone" && who !== "screen");

/** These check a password, or look for the sandbox, in a transaction before the one that changes something. */
const IN_TWO_STEPS: Record<string, unknown> = {
  changePassword: { current: PASSWORD, password: "another long password" },
  confirmPassword: { password: PASSWORD },
  beginSecondFactor: { password: PASSWORD },
  openSandbox: {},
};

let names = 0;
const bodyOf = (id: string): unknown =>
  id === "changeUser" ? { name: `Nina ${names++}` } : (IN_TWO_STEPS[id] ?? CONSOLE_BODIES[id] ?? {});

const newSession = async (): Promise<string> =>
  withoutVenue(other.deps, async (ctx) => {
    const person = await findUser(ctx, EMAIL);
    if (!person) throw new Error("No such user");
    return (await createSession(ctx, person, { device: null, client: null, hasGivenPassword: true })).cookie;
  });

const setRole = (role: Role): Promise<void> =>
  forVenue(
    other.deps,
    lab.slug,
    async (ctx) => {
      await addStaff(ctx, { email: EMAIL, name: "Nina", role, locale: null });
      await acceptByProof(ctx, EMAIL);
    },
    { revokes: true },
  );

const askForFactor = (isNeeded: boolean): Promise<void> =>
  forVenue(other.deps, lab.slug, async (ctx) => changeFactorRule(ctx, isNeeded), { revokes: true });

type RevocationWay = {
  refusal: string;
  appliesTo?(operation: ConsoleOperation): boolean;
  revoke(cookie: string, on: HeldApp): Promise<unknown>;
  restore?(on: HeldApp): Promise<unknown>;
};

const done = async (answer: Promise<ConsoleAnswer>): Promise<void> => {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
};

const isOfVenue = ({ path }: ConsoleOperation): boolean => path.startsWith("/venues/");
const MINUTE_MS = 60_000;

const WAYS: Record<string, RevocationWay> = {
  "signed out": { refusal: "401 signed_out", revoke: (cookie) => done(consoleCall(other, "DELETE", "/session", { body: {}, cookie })) },
  "signed out everywhere": {
    refusal: "401 signed_out",
    revoke: async () => done(consoleCall(other, "DELETE", "/sessions", { body: {}, cookie: await newSession() })),
  },
  "session expired": {
    refusal: "401 signed_out",
    revoke: async (_, { app }) => {
      await other.database.asOwner("update sessions set expires_at = $1", [new Date(app.clock.now().getTime() + MINUTE_MS)]);
      app.clock.advance(MINUTE_MS);
    },
    restore: async ({ app }) => app.clock.advance(-MINUTE_MS),
  },
  "removed from the venue": {
    refusal: "404 not_found",
    appliesTo: isOfVenue,
    revoke: () => forVenue(other.deps, lab.slug, (ctx) => removeStaff(ctx, EMAIL), { revokes: true }),
    restore: () => setRole("owner"),
  },
  "sessions ended by an owner": {
    refusal: "403 sign_in_again",
    appliesTo: isOfVenue,
    revoke: () => forVenue(other.deps, lab.slug, async (ctx) => endSessionsUntilNow(ctx, EMAIL), { revokes: true }),
    restore: () => other.database.asOwner("update staff set sessions_ended_at = null where email = $1", [EMAIL]),
  },
  "role lowered": {
    refusal: "403 role_required",
    appliesTo: ({ who }) => who === "owner" || who === "manager",
    revoke: () => setRole("staff"),
    restore: () => setRole("owner"),
  },
  "second factor asked for": {
    refusal: "403 second_factor_setup_required",
    appliesTo: (operation) => isOfVenue(operation) && operation.who !== "invited",
    revoke: () => askForFactor(true),
    restore: () => askForFactor(false),
  },
};

type ConsoleTrial = { write: ConsoleWrite; way: string; turn: number };

const waysFor = ([, operation]: ConsoleWrite): string[] =>
  Object.entries(WAYS).flatMap(([way, { appliesTo }]) => ((appliesTo?.(operation) ?? true) ? [way] : []));

const trialsOf = (write: ConsoleWrite, ways: string[]): ConsoleTrial[] =>
  ways.flatMap((way) => [1, ...(write[0] in IN_TWO_STEPS ? [2] : [])].map((turn) => ({ write, way, turn })));

const TRIALS: ConsoleTrial[] = WRITES.flatMap((write, place) => {
  const ways = waysFor(write);
  return trialsOf(write, IS_LONG ? ways : ways.slice(place % ways.length).slice(0, 1));
});

type ConsoleFindings = { trials: number; late: string[]; odd: string[] };

const metBy = ({ status, body }: ConsoleAnswer): string => `${status} ${body?.error?.code ?? ""}`.trim();

const tryOne = async (on: HeldApp, { write: [id, operation], way, turn }: ConsoleTrial, found: ConsoleFindings): Promise<void> => {
  const { refusal, revoke, restore } = WAYS[way] as RevocationWay;
  const cookie = await newSession();
  const path = fillConsolePath(operation.path, { venue: lab.slug, order: orderId });
  const call = () => consoleCall(on.app, operation.method, path, { body: bodyOf(id), cookie });
  const hold = on.pool.holdAt("begin", turn);
  const answer = call();
  const first = await Promise.race([hold.reached, answer]);
  const name = `${id}, ${way}, transaction ${turn}`;
  // In the long form some operations meet their own limit a minute; that is no trial.
  if (first !== undefined && first.status === 429 && TRIALS_MIN > 0) return hold.release();
  if (first !== undefined) return void found.odd.push(`${name}: was answered ${metBy(first)} before its transaction`);
  await on.beforeRevocation?.();
  await revoke(cookie, on);
  const before = await fingerprint(other);
  hold.release();
  const met = metBy(await answer);
  found.trials++;
  if ((await fingerprint(other)) !== before) found.late.push(name);
  if (met !== refusal) found.odd.push(`${name}: ${met}`);
  const afterwards = metBy(await call());
  if (afterwards !== refusal) found.odd.push(`${name}: a call afterwards met ${afterwards}`);
  await restore?.(on);
};

const tryAll = async (on: HeldApp, trials: readonly ConsoleTrial[], atLeast = 0): Promise<ConsoleFindings> => {
  const found: ConsoleFindings = { trials: 0, late: [], odd: [] };
  do for (const trial of trials) await tryOne(on, trial, found);
  while (found.trials < atLeast);
  return found;
};

test("every write of the console × {signed out, expired, removed, role lowered} after it was recognised: none takes effect", {
  timeout: 600_000,
}, async () => {
  const begin = performance.now();
  const found = await tryAll(honest, TRIALS, TRIALS_MIN);
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  console.info(
    `console: ${WRITES.length} writes × ${Object.keys(WAYS).length} ways to lose access: ${found.trials} trials, ${found.late.length} took effect, ${found.odd.length} odd answers, ${seconds} s`,
  );
  expect(found).toEqual({ trials: found.trials, late: [], odd: [] });
  expect(found.trials).toBeGreaterThanOrEqual(TRIALS.length);
  expect(new Set(TRIALS.map(({ way }) => way))).toEqual(new Set(Object.keys(WAYS)));
});

/** Inside a transaction the check asks copies of who was signed in and who worked where, so it never finds a revocation. */
const withoutCheck = (): PausingPool => {
  const writing = new WeakSet<object>();
  return createPausingPool(({ text, values = [] }, connection) => {
    if (text.includes("lock_access")) writing.add(connection);
    if (text === "commit" || text === "rollback") writing.delete(connection);
    if (!writing.has(connection) || !text.includes("from sessions s")) return null;
    return {
      text: text.replace("from sessions s", "from sessions_before s").replace("console_memberships_of(", "memberships_before("),
      values,
    };
  });
};

const COPIES = ["sessions", "staff"]
  .map((table) => `truncate ${table}_before; insert into ${table}_before select * from ${table}`)
  .join(";");

test("planted: with the locks and without the check, writes of ended sessions and roles take effect and are found", async () => {
  const { asOwner } = other.database;
  const [memberships] = await asOwner<{ text: string }>("select pg_get_functiondef('console_memberships_of'::regproc) as text");
  await asOwner("create table sessions_before as table sessions; create table staff_before as table staff");
  await asOwner("grant select on sessions_before, staff_before to comanda_app");
  await asOwner(
    (memberships?.text ?? "").replace("console_memberships_of", "memberships_before").replace("from staff s", "from staff_before s"),
  );
  await asOwner("grant execute on function memberships_before to comanda_app");
  const careless = await startHeld(withoutCheck());
  const trials = WRITES.filter(([id]) => id === "createToken" || id === "changeUser").flatMap((write) =>
    trialsOf(write, waysFor(write)).filter(({ way }) => way !== "session expired" && way !== "second factor asked for"),
  );
  const { trials: tried, late } = await tryAll({ ...careless, beforeRevocation: () => asOwner(COPIES) }, trials);
  console.info(`console, planted without the check: ${late.length} of ${tried} took effect`);
  expect([tried, late.length]).toEqual([trials.length, trials.length]);
  await careless.app.close();
});
