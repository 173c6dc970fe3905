/**
 * The decision on each call of the console, as one table: every call × caller × standing of the venue, made over HTTP and compared with
 * what the call's entry in the contract promises. Nothing is committed, so every cell finds the venue as it was prepared.
 */
import { randomBytes } from "node:crypto";
import { type ConsoleOperation, ROLES, type Role, SCREEN_PURPOSES, type ScreenPurpose } from "@comanda/contract/console/operation.ts";
import { type ConsoleOperationId, consoleEntries, consoleOperations } from "@comanda/contract/console/operations.ts";
import { FEATURES } from "@comanda/contract/scopes.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "#admin/sandbox.ts";
import { addStaff, endSessionsUntilNow } from "#platform/people/memberships/service.ts";
import { CONSOLE_BODIES, CONSOLE_QUERIES, fillConsolePath, placeLabOrder } from "../support/console-bodies.ts";
import { type ConsoleAnswer, type ConsoleCallOptions, consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { pairScreen } from "../support/paired-screen.ts";
import { forVenue, startApp, type TestApp } from "../support/test-app.ts";
import { createUncommittedPool } from "../support/uncommitted-pool.ts";

/** What is written about the restaurant. */
const STANDINGS = {
  active: "plan = 'complete'",
  suspended: "suspended_at = now()",
  lapsed: "plan_until = '2026-01-01'",
  essential: "plan = 'essential'",
  "second factor required": "needs_second_factor = true",
};
type VenueStanding = keyof typeof STANDINGS;

/** `invited`: has not accepted. `ended`: an owner whose sessions in this venue another owner ended. */
type CallerRole = Role | "outsider" | "invited" | "ended";
type Caller = { name: string; role: CallerRole | null; purpose: ScreenPurpose | null; cookies: ConsoleCallOptions };
type PreparedVenue = {
  standing: VenueStanding;
  slug: string;
  id: number;
  sandboxId: number;
  order: string;
  token: string;
  callers: Caller[];
};

/** As they were when this file was loaded: a fault that is planted later does not change the promise. */
const PROMISED = structuredClone(
  consoleEntries.map(([id, { method, path, who, purposes, isService, needsPlan, needsFeature, finishesOrders, worksInSandbox }]) => ({
    id,
    ...({ method, path, who, purposes, isService, needsPlan, needsFeature, finishesOrders, worksInSandbox } as Omit<
      ConsoleOperation,
      "success"
    >),
  })),
);
type Promised = (typeof PROMISED)[number];

const pool = createUncommittedPool();
let app: TestApp;
let venues: PreparedVenue[];

const prepareVenue = async (standing: VenueStanding, outsider: TestUser, worker: TestUser): Promise<PreparedVenue> => {
  const venue = await app.venue("lab", (file) => {
    file.restaurant.slug = standing.replaceAll(" ", "-");
  });
  const order = await placeLabOrder(app, venue);
  const people = await Promise.all(ROLES.map(async (role) => ({ role, user: await createUser(app, venue.slug, role) })));
  const manager = people.find(({ role }) => role === "manager")?.user as TestUser;
  const screens: Caller[] = [];
  for (const purpose of SCREEN_PURPOSES) {
    const { cookie } = await pairScreen(app, venue.slug, manager, { purpose, name: purpose });
    screens.push({ name: `screen for ${purpose}`, role: null, purpose, cookies: { screen: cookie } });
  }
  await createSandbox(app.deps, venue.slug, null);
  const ended = await createUser(app, venue.slug, "owner", `ended@${venue.slug}.example`);
  await forVenue(app.deps, venue.slug, async (ctx) => {
    await addStaff(ctx, { email: worker.email, name: "Ida", role: "staff", locale: null });
    endSessionsUntilNow(ctx, ended.email);
  });
  const [sandbox] = await app.database.asOwner<{ id: string }>("select sandbox_id as id from sandboxes where restaurant_id = $1", [
    venue.id,
  ]);
  await app.database.asOwner(`update restaurants set ${STANDINGS[standing]} where id = $1`, [venue.id]);
  const callers: Caller[] = [
    ...people.map(({ role, user }): Caller => ({ name: role, role, purpose: null, cookies: { cookie: user.cookie } })),
    { name: "owner of another venue", role: "outsider", purpose: null, cookies: { cookie: outsider.cookie } },
    { name: "invited person", role: "invited", purpose: null, cookies: { cookie: worker.cookie } },
    { name: "owner with an ended session", role: "ended", purpose: null, cookies: { cookie: ended.cookie } },
    { name: "signed out", role: null, purpose: null, cookies: {} },
    ...screens,
  ];
  return { standing, slug: venue.slug, id: venue.id, sandboxId: Number(sandbox?.id), order, token: venue.token, callers };
};

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` }, pool: pool.open });
  const cafe = await app.venue("gulf-cafe");
  const outsider = await createUser(app, cafe.slug, "owner");
  const worker = await createUser(app, cafe.slug, "staff", "worker@example.com");
  venues = [];
  for (const standing of Object.keys(STANDINGS) as VenueStanding[]) venues.push(await prepareVenue(standing, outsider, worker));
  pool.commit(false);
}, 120_000);
afterAll(() => app.close());

const planRefusal = (call: Promised, standing: VenueStanding): string | null => {
  const { method, isService, needsPlan, needsFeature, finishesOrders } = call;
  if ((isService || needsPlan) && standing === "lapsed") return "403 plan_lapsed";
  if (needsFeature && standing === "essential") return "403 plan_feature_unavailable";
  if (isService && standing === "suspended" && method !== "GET" && !finishesOrders) return "403 restaurant_suspended";
  return null;
};

/** Written from the words of the contract, not from the code. */
const promiseOf = (call: Promised, { role, purpose }: Caller, standing: VenueStanding): string => {
  const { who, purposes } = call;
  if (who === "anyone") return "open";
  if (who === "screen") {
    if (purpose === null) return "401 signed_out";
    return purposes?.includes(purpose) ? (planRefusal(call, standing) ?? "open") : "404 not_found";
  }
  if (role === null) return "401 signed_out";
  if (who === "person") return "open";
  if (role === "outsider") return "404 not_found";
  if (role === "ended") return "403 sign_in_again";
  if (who === "invited") return "open";
  if (role === "invited") return "404 not_found";
  if (ROLES.indexOf(role) > ROLES.indexOf(who)) return `403 role_required ${who}`;
  if (standing === "second factor required" && role !== "staff") return "403 second_factor_setup_required";
  return planRefusal(call, standing) ?? "open";
};

/** The role is that in the venue; plan and standing are the sandbox's own, which is never without a plan. */
const promiseInSandbox = (call: Promised, caller: Caller, standing: VenueStanding): string => {
  if (caller.role !== null && !call.worksInSandbox) return "404 not_found";
  return promiseOf(call, caller, standing === "second factor required" ? standing : "active");
};

type VenuePlace = "live" | "sandbox";

const STANDING_NAMES = Object.keys(STANDINGS) as VenueStanding[];
/** A sandbox has a plan of its own: these standings of its venue show that. */
const SANDBOX_STANDINGS: readonly VenueStanding[] = ["lapsed", "second factor required"];
const standingsIn = (place: VenuePlace): readonly VenueStanding[] => (place === "live" ? STANDING_NAMES : SANDBOX_STANDINGS);
const promiseIn = (place: VenuePlace) => (place === "live" ? promiseOf : promiseInSandbox);

/** In CI a caller who is refused alike in every standing tries a call in one of them, which changes from call to call. */
const isTriedInCi = (place: VenuePlace, call: Promised, caller: Caller, standing: VenueStanding): boolean => {
  const standings = standingsIn(place);
  const promises = new Set(standings.map((one) => promiseIn(place)(call, caller, one)));
  const turn = PROMISED.indexOf(call) + caller.name.length;
  return promises.size > 1 || promises.has("open") || standings[turn % standings.length] === standing;
};

const GATE_CODES = [
  "signed_out",
  "role_required",
  "second_factor_setup_required",
  "plan_lapsed",
  "plan_feature_unavailable",
  "restaurant_suspended",
  "sign_in_again",
  "password_required",
  "cross_site",
];

/**
 * An answer after the checks may be anything but a fault of the server: a row that is not there, a body that does not fit, too much at
 * once.
 */
const metBy = ({ status, body }: ConsoleAnswer, isVenueCall: boolean, hasBegun: boolean): string => {
  const { code = "", details } = body?.error ?? {};
  if (GATE_CODES.includes(code)) return `${status} ${code} ${details.required_role ?? ""}`.trim();
  if (status >= 500 && code !== "service_unavailable") return `${status} ${code}`;
  return isVenueCall && !hasBegun ? `${status} ${code}` : "open";
};

/** A call outside of a venue gets no fields: its body is refused behind the gates, before a password is hashed. */
const bodyOf = ({ id, path }: Promised): unknown =>
  (path.startsWith("/venues/") || path.startsWith("/screen/") ? CONSOLE_BODIES[id] : null) ?? {};

const send = (call: Promised, { slug, order, place }: PreparedVenue & { place: VenuePlace }, { cookies }: Caller): Promise<ConsoleAnswer> =>
  consoleCall(
    app,
    call.method,
    `${fillConsolePath(call.path, { venue: place === "live" ? slug : `${slug}.sandbox`, order })}${CONSOLE_QUERIES[call.id] ?? ""}`,
    {
      ...(call.method === "GET" ? {} : { body: bodyOf(call) }),
      ...cookies,
    },
  );

type TableFindings = { cells: number; open: number; mismatches: string[] };

/** The calls of one venue follow each other, so that a transaction belongs to one of them. */
const tryVenue = async (venue: PreparedVenue, calls: readonly Promised[], place: VenuePlace, isEach: boolean): Promise<TableFindings> => {
  const found: TableFindings = { cells: 0, open: 0, mismatches: [] };
  // In the venue: these calls have a transaction of the sandbox too. In the sandbox: none of the venue.
  const hasBegun = (): boolean => {
    const [inVenue, inSandbox] = [pool.hasBegun(venue.id), pool.hasBegun(venue.sandboxId)];
    return place === "live" ? inVenue || inSandbox : inSandbox && !inVenue;
  };
  for (const call of calls)
    for (const caller of venue.callers) {
      if (!isEach && !isTriedInCi(place, call, caller, venue.standing)) continue;
      hasBegun();
      const isVenueCall = call.path.startsWith("/venues/") || call.who === "screen";
      const answer = await send(call, { ...venue, place }, caller);
      const promised = promiseIn(place)(call, caller, venue.standing);
      const met = metBy(answer, isVenueCall, hasBegun());
      found.cells++;
      if (met === "open") found.open++;
      if (met !== promised) found.mismatches.push(`${call.id} as ${caller.name}, ${venue.standing}: ${met} instead of ${promised}`);
    }
  return found;
};

const tryAll = async (calls: readonly Promised[], place: VenuePlace, isEach: boolean): Promise<TableFindings> => {
  const tried = venues.filter(({ standing }) => standingsIn(place).includes(standing));
  const found = await Promise.all(tried.map((venue) => tryVenue(venue, calls, place, isEach)));
  return {
    cells: found.reduce((sum, { cells }) => sum + cells, 0),
    open: found.reduce((sum, { open }) => sum + open, 0),
    mismatches: found.flatMap(({ mismatches }) => mismatches),
  };
};

const isLong = Boolean(process.env.TEST_STRESS);

test("R5.1-05 D35 every call × caller × standing meets exactly what its entry in the contract promises", async () => {
  const { cells, open, mismatches } = await tryAll(PROMISED, "live", isLong);
  const pairs = PROMISED.length * (ROLES.length + 4 + SCREEN_PURPOSES.length);
  console.info(`console access: ${pairs} calls and callers in ${venues.length} standings, ${cells} cells tried, ${open} open`);
  expect(mismatches).toEqual([]);
  if (isLong) expect(cells).toBe(pairs * venues.length);
  else expect(cells).toBeGreaterThan(pairs * 1.5);
}, 120_000);

const OF_VENUES = PROMISED.filter(({ path }) => path.startsWith("/venues/"));

test("D137 in the sandbox's name, every call × caller × standing is 404 but for those that say they work there, with the role in the venue", async () => {
  const { cells, open, mismatches } = await tryAll(OF_VENUES, "sandbox", isLong);
  const inSandbox = OF_VENUES.filter(({ worksInSandbox }) => worksInSandbox).length;
  console.info(`sandbox access: ${OF_VENUES.length} calls, ${inSandbox} of them work in a sandbox; ${cells} cells, ${open} open`);
  expect(mismatches).toEqual([]);
  expect(inSandbox).toBeGreaterThan(15);
}, 120_000);

test("JB-09 a request is cancelled by those who may decline it; every role cancels a booking that was confirmed", async () => {
  const venue = venues.find(({ standing }) => standing === "active") as PreparedVenue;
  pool.commit(true);
  const make = async (status: "pending" | "confirmed"): Promise<string> => {
    const body = { name: "Ida", phone: "+1 555 0199", party_size: 2, date: "2026-12-01", time: "19:00", status };
    return (await app.call(venue.token, "POST", "/reservations", { body })).body.data.id;
  };
  const bookings = { pending: await make("pending"), confirmed: await make("confirmed") };
  pool.commit(false);
  const met: Record<string, string[]> = { pending: [], confirmed: [] };
  for (const [status, reservation] of Object.entries(bookings))
    for (const { name, cookies } of venue.callers.filter(({ role }) => ROLES.some((one) => one === role))) {
      const path = fillConsolePath("/venues/{venue}/bookings/{reservation}/steps", { venue: venue.slug, reservation });
      const answer = await consoleCall(app, "POST", path, { body: { seen_version: 1, step: "cancel" }, ...cookies });
      met[status]?.push(`${name}: ${answer.status === 200 ? "open" : metBy(answer, true, true)}`);
    }
  expect(met).toEqual({
    pending: ["owner: open", "manager: open", "staff: 403 role_required manager"],
    confirmed: ["owner: open", "manager: open", "staff: open"],
  });
});

test("the session names the features that the calls ask for", async () => {
  for (const { slug, standing, callers } of venues) {
    const owner = callers.find(({ role }) => role === "owner") as Caller;
    const { venues: memberships } = (await consoleCall(app, "GET", "/session", owner.cookies)).body.data;
    const expected = standing === "essential" ? [] : FEATURES;
    expect([standing, memberships.find((venue: { slug: string }) => venue.slug === slug).features]).toEqual([standing, expected]);
  }
});

type LooseOperation = { -readonly [K in keyof ConsoleOperation]?: ConsoleOperation[K] };

/** The service reads the entry with each call. */
const mismatchesWith = async (id: ConsoleOperationId, fault: LooseOperation, place: VenuePlace = "live"): Promise<string[]> => {
  const entry = consoleOperations[id] as LooseOperation;
  const before = { ...entry };
  Object.assign(entry, fault);
  try {
    return (
      await tryAll(
        PROMISED.filter((call) => call.id === id),
        place,
        true,
      )
    ).mismatches;
  } finally {
    for (const key of Object.keys(fault)) delete entry[key as keyof LooseOperation];
    Object.assign(entry, before);
  }
};

test("planted: a call whose role, plan, feature or standing is not asked for is found, and so is one that asks for too much", async () => {
  const callersOf = (lines: string[]) => [...new Set(lines.map((line) => /as (.*?),/.exec(line)?.[1]))];
  const standingsOf = (lines: string[]) => [...new Set(lines.map((line) => /, (.*?):/.exec(line)?.[1]))];
  const tooLow = await mismatchesWith("listMemberSessions", { who: "staff" });
  expect(callersOf(tooLow)).toEqual(["manager", "staff"]);
  expect(standingsOf(tooLow)).toEqual(Object.keys(STANDINGS));
  expect(callersOf(await mismatchesWith("listTokens", { who: "owner" }))).toEqual(["manager", "staff"]);
  expect(standingsOf(await mismatchesWith("readBoard", { isService: undefined as never }))).toEqual(["lapsed"]);
  expect(standingsOf(await mismatchesWith("readBookingDay", { needsFeature: undefined as never }))).toEqual(["essential"]);
  expect(standingsOf(await mismatchesWith("setDishToday", { finishesOrders: true }))).toEqual(["suspended"]);
  expect(callersOf(await mismatchesWith("listTeam", { worksInSandbox: true }, "sandbox"))).toEqual([
    "owner",
    "manager",
    "staff",
    "owner with an ended session",
  ]);
  expect(callersOf(await mismatchesWith("listWebhooks", { worksInSandbox: undefined as never }, "sandbox"))).toEqual([
    "owner",
    "manager",
    "staff",
    "owner with an ended session",
  ]);
  expect(await mismatchesWith("listTeam", {})).toEqual([]);
});
