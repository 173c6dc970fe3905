/** A person becomes a member of a venue by their own yes only, and no act of an owner upon a person reaches beyond the venue. */
import { randomBytes } from "node:crypto";
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import { type ConsoleOperationId, consoleEntries } from "@comanda/contract/console/operations.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeAt, stepAt } from "#lib/totp.ts";
import { acceptByProof, addStaff } from "#platform/people/memberships/service.ts";
import { WRONG_PER_ACCOUNT_MAX } from "#platform/sign-in/accounts/rules.ts";
import { CONSOLE_BODIES, CONSOLE_QUERIES, fillConsolePath } from "../support/console-bodies.ts";
import {
  type ConsoleAnswer,
  type ConsoleCallOptions,
  consoleCall,
  createUser,
  PASSWORD,
  type TestUser,
} from "../support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const OWN_NAME = "Vera Verborgen";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const CROSS_SITE = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "user-agent": BROWSER };

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let owner: TestUser;
let people = 0;
let plant: InjectedFault = () => null;

beforeAll(async () => {
  app = await startApp({
    environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, TRUSTED_PROXIES: "127.0.0.1" },
    pool: faultInjectingPool((...statement) => plant(...statement)),
  });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
  owner = await createUser(app, lab.slug, "owner");
  const { secret } = (await owner.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  await owner.call("PUT", "/second-factor", { body: { code: codeAt(secret, stepAt(app.clock.now())) } });
});
afterAll(() => app.close());

const planted = async <T>(fault: InjectedFault, work: () => Promise<T>): Promise<T> => {
  plant = fault;
  try {
    return await work();
  } finally {
    plant = () => null;
  }
};

const met = ({ status, body }: ConsoleAnswer): string => `${status} ${body.error?.code ?? ""}`.trim();
const ofLab = (path: string): string => `/venues/${lab.slug}${path}`;

/** Owns the café, and is known there under a name and a browser that the lab must not learn. */
const newOwnerOfCafe = async (): Promise<TestUser> => {
  const person = await createUser(app, cafe.slug, "owner", `vera-${++people}@example.com`);
  await person.call("PATCH", "/person", { body: { name: OWN_NAME } });
  const opened = await signIn(person, { devices: person.devices });
  return { ...person, cookie: opened.cookie ?? "", devices: opened.devices ?? "", call: callAs(opened.cookie) };
};
const callAs =
  (cookie: string | null) =>
  (method: string, path: string, options: ConsoleCallOptions = {}): Promise<ConsoleAnswer> =>
    consoleCall(app, method, path, { cookie, ...options, headers: { "user-agent": BROWSER, ...options.headers } });
const signIn = ({ email }: { email: string }, { password = PASSWORD, ...options }: ConsoleCallOptions & { password?: string }) =>
  consoleCall(app, "POST", "/session", { body: { email, password }, headers: { "user-agent": BROWSER }, ...options });

const invite = (email: string) => owner.act("POST", ofLab("/team"), { body: { email, name: "Ada", role: "staff" } });
const memberOf = async ({ email }: { email: string }) =>
  (await owner.call("GET", ofLab("/team"))).body.data.members.find((one: { email: string }) => one.email === email);

/** Guesses from as many addresses as it takes. */
const guessPasswords = async (person: { email: string }): Promise<void> => {
  for (let turn = 0; turn < WRONG_PER_ACCOUNT_MAX + 10; turn++)
    await signIn(person, { password: "a wrong password", from: `198.51.100.${turn + 1}` });
};
const signInAtKnownDevice = async (person: TestUser): Promise<string> =>
  met(await signIn(person, { devices: person.devices, from: "192.0.2.7" }));

/** What the owner can read with every call of the contract, once with each of these ids. */
const readEverything = async (ids: readonly number[]): Promise<string> => {
  const texts: string[] = [];
  for (const [id, { method, path }] of consoleEntries)
    if (method === "GET" && path.startsWith("/venues/"))
      for (const one of ids)
        texts.push((await owner.call("GET", `${fillConsolePath(path, { venue: lab.slug, id: one })}${CONSOLE_QUERIES[id] ?? ""}`)).text);
  return texts.join("\n");
};

test("forcing a person into a team reaches nothing: no membership, name, browser, session or device, and no lock-out", async () => {
  const person = await newOwnerOfCafe();
  const [known, unknown] = [await invite(person.email), await invite(`unused-${people}@example.com`)];
  const { id, email: _typed, ...rest } = known.body.data;
  const { id: _id, email: _other, ...restOfUnknown } = unknown.body.data;
  expect([known.status, rest]).toEqual([unknown.status, restOfUnknown]);

  // The cookie is sent with what another site opens.
  for (const path of ["/board", "/team", "/live", "/own-shifts"])
    expect(met(await person.call("GET", ofLab(path), { headers: CROSS_SITE }))).toBe("404 not_found");
  const session = (await person.call("GET", "/session", { headers: CROSS_SITE })).body.data;
  expect(session.venues.map(({ slug }: { slug: string }) => slug)).toEqual([cafe.slug]);
  expect(await memberOf(person)).toMatchObject({
    name: "Ada",
    is_accepted: false,
    invitation: { state: "open" },
    last_seen_at: null,
    has_second_factor: null,
    sessions: 0,
  });
  const read = await readEverything([id]);
  expect(read).toContain(person.email);
  for (const hidden of [OWN_NAME, "Firefox"]) expect(read).not.toContain(hidden);

  const before = await outside(person);
  expect((await owner.act("DELETE", ofLab(`/team/${id}/sessions`), { body: {} })).body.data).toEqual({ ended: 0 });
  expect(await outside(person)).toEqual(before);
  await guessPasswords(person);
  expect(met(await signIn(person, { from: "192.0.2.8" }))).toBe("403 sign_in_link_required");
  expect(await signInAtKnownDevice(person)).toBe("201");
});

test("a member of two venues whose sessions one of them ends is signed in to the other, at a known device, and signs in again for the one", async () => {
  const person = await newOwnerOfCafe();
  const { id } = (await invite(person.email)).body.data;
  expect(met(await person.call("POST", ofLab("/invitation"), { body: { seen_role: "staff" } }))).toBe("200");
  expect(met(await person.call("GET", ofLab("/board")))).toBe("200");
  const before = await outside(person);
  expect((await owner.act("DELETE", ofLab(`/team/${id}/sessions`), { body: {} })).body.data).toEqual({ ended: 1 });
  expect(met(await person.call("GET", ofLab("/board")))).toBe("403 sign_in_again");
  expect(met(await person.call("POST", ofLab("/orders/quote"), { body: {} }))).not.toMatch(/^2/);
  expect(await outside(person)).toEqual(before);
  const { venues } = (await person.call("GET", "/session")).body.data;
  expect(venues.map((one: { slug: string; is_sign_in_needed?: true }) => [one.slug, one.is_sign_in_needed ?? false])).toEqual([
    [lab.slug, true],
    [cafe.slug, false],
  ]);
  await guessPasswords(person);
  app.clock.advance(1);
  const again = await signIn(person, { devices: person.devices, from: "192.0.2.7" });
  expect(met(again)).toBe("201");
  expect(met(await consoleCall(app, "GET", ofLab("/board"), { cookie: again.cookie }))).toBe("200");
});

/** What a person has outside of the lab, and that they can use it. */
const outside = async (person: TestUser) => {
  const rows = (text: string) => app.database.asOwner(text, [person.email]);
  return {
    user: await rows("select email, name, locale, password_hash, totp_confirmed_at from users where email = $1"),
    devices: await rows("select d.hash from known_devices d join users u on u.id = d.user_id where u.email = $1 order by 1"),
    sessions: await rows("select s.id from sessions s join users u on u.id = s.user_id where u.email = $1 order by 1"),
    memberships: await app.database.asOwner(
      "select restaurant_id, role, name, accepted_at, sessions_ended_at from staff where email = $1 and restaurant_id <> $2",
      [person.email, lab.id],
    ),
    cafe: met(await person.call("GET", `/venues/${cafe.slug}/tokens`)),
    account: met(await person.call("GET", "/sessions")),
  };
};

/** Every act of the contract upon the team. Without an entry the body is that of `CONSOLE_BODIES`. */
const BODIES: Partial<Record<ConsoleOperationId, (role: string) => unknown>> = {
  inviteMember: () => ({ email: `other-${people}@example.com`, name: "Other", role: "staff" }),
  changeRole: (seen_role) => ({ seen_role, role: "staff", tokens: "end", screens: "end" }),
  removeMember: (seen_role) => ({ seen_role, tokens: "end", screens: "end" }),
  requireSecondFactor: () => ({ seen_is_required: false, is_required: true }),
};
const TEAM_WRITES: [ConsoleOperationId, ConsoleOperation][] = consoleEntries.filter(
  ([, { method, path }]) => method !== "GET" && path.startsWith("/venues/{venue}/team"),
);

/** One act upon a manager of the lab who owns the café, or upon one who is only invited: what changed outside, and the answer. */
const act = async ([id, { method, path }]: (typeof TEAM_WRITES)[number], isMember: boolean) => {
  await app.database.asOwner("update restaurants set needs_second_factor = false where id = $1", [lab.id]);
  const person = await newOwnerOfCafe();
  await forVenue(app.deps, lab.slug, async (ctx) => {
    await addStaff(ctx, { email: person.email, name: "Vera", role: "manager", locale: null });
    if (isMember) await acceptByProof(ctx, person.email);
  });
  if (isMember) expect(met(await person.call("GET", ofLab("/board")))).toBe("200");
  const member = await memberOf(person);
  const before = await outside(person);
  const body = BODIES[id]?.("manager") ?? CONSOLE_BODIES[id] ?? {};
  const answer = await owner.act(method, fillConsolePath(path, { venue: lab.slug, id: member.id }), { body });
  const after = await outside(person);
  // Ids of rows and hashes differ from person to person.
  const differs = Object.keys(before).filter((part) => JSON.stringify(before[part as "user"]) !== JSON.stringify(after[part as "user"]));
  return { met: met(answer), differs };
};

const walkTeam = async () => {
  const found: string[] = [];
  const done = new Set<string>();
  for (const write of TEAM_WRITES)
    for (const isMember of [true, false]) {
      const { met: answer, differs } = await act(write, isMember);
      if (answer.startsWith("2")) done.add(write[0]);
      for (const part of differs) found.push(`${write[0]} of ${isMember ? "a member" : "an invited person"} changes: ${part}`);
    }
  return { found, done: [...done].sort() };
};

test("every act of an owner upon a person, found from the contract, leaves account, devices, sessions and other venues as they are", async () => {
  const { found, done } = await walkTeam();
  expect(found).toEqual([]);
  expect(done).toEqual(TEAM_WRITES.map(([id]) => id).sort());
  expect(TEAM_WRITES.length).toBeGreaterThanOrEqual(7);
}, 120_000);

test("planted: an act that ends sessions or devices of the person everywhere is found", async () => {
  const everywhere =
    (part: string, table: string): InjectedFault =>
    ({ text }) =>
      text.includes(part)
        ? {
            text: `delete from ${table} t using users u where u.id = t.user_id and u.email like 'vera-%'`,
            values: [],
            name: `all of ${table}`,
          }
        : null;
  const leavesVenue = "set venue_ids = array_remove(";
  const ending = await planted(everywhere("set sessions_ended_at", "known_devices"), () =>
    act(TEAM_WRITES.find(([id]) => id === "endMemberSessions") as (typeof TEAM_WRITES)[number], true),
  );
  expect(ending.differs).toEqual(["devices", "sessions", "cafe", "account"]);
  const removal = await planted(everywhere(leavesVenue, "sessions"), () =>
    act(TEAM_WRITES.find(([id]) => id === "removeMember") as (typeof TEAM_WRITES)[number], true),
  );
  expect(removal.differs).toEqual(["sessions", "cafe", "account"]);
});

/** The rows that say who is a member, and which venue sees which session. */
const membershipRows = () =>
  app.database.asOwner("select s.restaurant_id, s.email, s.role, s.accepted_at, s.declined_at, s.seen_at from staff s order by 1, 2");
const seenSessions = () => app.database.asOwner("select id, venue_ids from sessions order by id");

/** Every read of the contract, for a member who was never seen and for an invited person. */
const readAs = async (cookie: string, headers: Record<string, string>): Promise<void> => {
  for (const [id, { method, path, who }] of consoleEntries)
    if (method === "GET" && who !== "screen")
      await consoleCall(app, "GET", `${fillConsolePath(path, { venue: lab.slug })}${CONSOLE_QUERIES[id] ?? ""}`, { cookie, headers });
};

test("no read accepts an invitation, and none that another site caused is noted as seen; one of the own page is", async () => {
  await app.database.asOwner("update restaurants set needs_second_factor = false where id = $1", [lab.id]);
  const [member, invited] = [await newOwnerOfCafe(), await newOwnerOfCafe()];
  await forVenue(app.deps, lab.slug, async (ctx) => {
    for (const { email } of [member, invited]) await addStaff(ctx, { email, name: "Vera", role: "manager", locale: null });
    await acceptByProof(ctx, member.email);
  });
  const before = [await membershipRows(), await seenSessions()];
  for (const { cookie } of [member, invited]) await readAs(cookie, CROSS_SITE);
  await readAs(invited.cookie, {});
  expect([await membershipRows(), await seenSessions()]).toEqual(before);
  await readAs(member.cookie, {});
  expect(await memberOf(member)).toMatchObject({ last_seen_at: app.clock.now().toISOString(), sessions: 1 });
});

test("planted: memberships that do not ask for the yes are found by the first step of the chain", async () => {
  const { asOwner } = app.database;
  const [kept] = await asOwner<{ text: string }>("select pg_get_functiondef('console_memberships_of'::regproc) as text");
  const person = await newOwnerOfCafe();
  await forVenue(app.deps, lab.slug, (ctx) => addStaff(ctx, { email: person.email, name: "Vera", role: "staff", locale: null }));
  expect(met(await person.call("GET", ofLab("/board"), { headers: CROSS_SITE }))).toBe("404 not_found");
  try {
    await asOwner((kept?.text ?? "").replace("and s.accepted_at is not null", ""));
    expect(met(await person.call("GET", ofLab("/board"), { headers: CROSS_SITE }))).toBe("200");
  } finally {
    await asOwner(kept?.text ?? "");
  }
});
