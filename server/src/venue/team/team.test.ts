/** The team over HTTP: which member may change which other, what ends with a removal, and the limits of invitations. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Role } from "@comanda/contract/console/operation.ts";
import type { TeamMember } from "@comanda/contract/console/team.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSandbox } from "#admin/sandbox.ts";
import { renewLinkSecret } from "#platform/sign-in/one-time-links/service.ts";
import {
  addMember,
  type ConsoleAnswer,
  consoleCall,
  createUser,
  linkFor,
  PASSWORD,
  type TestUser,
} from "../../../test/support/console-client.ts";
import { openStream } from "../../../test/support/console-stream.ts";
import { pairScreen } from "../../../test/support/paired-screen.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/support/test-app.ts";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let owner: TestUser;
let manager: TestUser;
let people = 0;

beforeAll(async () => {
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}` } });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
  owner = await createUser(app, lab.slug, "owner");
  manager = await createUser(app, lab.slug, "manager");
  await createSandbox(app.deps, lab.slug, null);
  await app.app.http.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

const newAddress = (): string => `person-${++people}@example.com`;
/** Accepted: the person has opened the venue. */
const newMember = async (role: Role, slug = lab.slug): Promise<TestUser> => {
  const person = await createUser(app, slug, role, newAddress());
  await person.call("GET", `/venues/${slug}/board`);
  return person;
};
/** `call` is the method, and the path below the team. */
const send = (by: TestUser, call: string, body: object = {}, slug = lab.slug): Promise<ConsoleAnswer> => {
  const [method = "", path = ""] = call.split(" ");
  return by.act(method, `/venues/${slug}/team${path}`, { body });
};
const teamOf = async (by = owner, slug = lab.slug): Promise<TeamMember[]> =>
  (await by.call("GET", `/venues/${slug}/team`)).body.data.members;
const memberOf = async ({ email }: { email: string }, by = owner, slug = lab.slug): Promise<TeamMember> => {
  const found = (await teamOf(by, slug)).find((one) => one.email === email);
  if (!found) throw new Error(`${email} is not in the team`);
  return found;
};
const met = ({ status, body }: ConsoleAnswer): string => `${status} ${body.error?.code ?? ""}`.trim();
const accept = (by: TestUser, seen_role: Role, slug = lab.slug) => by.call("POST", `/venues/${slug}/invitation`, { body: { seen_role } });
const invite = (by: TestUser, role: Role, email = newAddress()) => send(by, "POST", { email, name: "Ada", role, language: "it" });
type RemovalChoice = { seen_role?: Role; screens?: "keep" | "end"; tokens?: "keep" | "end" };
const remove = async (by: TestUser, { email }: { email: string }, choice: RemovalChoice = {}): Promise<ConsoleAnswer> => {
  const { id, role } = await memberOf({ email }, by);
  return send(by, `DELETE /${id}`, { seen_role: role, screens: "end", tokens: "end", ...choice });
};
const entriesAbout = (email: string) =>
  app.database.asOwner<{ action: string; actor_email: string; before: unknown; after: unknown }>(
    "select action, actor_email, before, after from audit_entries where subject_id = $1 order by id",
    [email],
  );

test("a member shows role, acceptance, last use, sessions, screens and tokens; an address alone shows nothing of an account", async () => {
  const person = await newMember("manager");
  await person.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "mine", scopes: ["menu:read"] } });
  await pairScreen(app, lab.slug, person);
  expect(await memberOf(person, manager)).toMatchObject({
    role: "manager",
    is_self: false,
    is_accepted: true,
    last_seen_at: app.clock.now().toISOString(),
    has_second_factor: false,
    sessions: 1,
    screens: 1,
    tokens: 1,
  });
  const newcomer = await newMember("owner", cafe.slug);
  expect((await invite(owner, "staff", newcomer.email.toUpperCase())).body.data).toMatchObject({
    email: newcomer.email,
    name: "Ada",
    language: "it",
    is_accepted: false,
    last_seen_at: null,
    has_second_factor: null,
    sessions: 0,
  });
  const { id } = await memberOf(newcomer);
  expect((await owner.call("GET", `/venues/${lab.slug}/team/${id}/sessions`)).body.data).toEqual([]);
  expect(met(await send(owner, `DELETE /${id}/sessions`))).toBe("200");
  expect((await newcomer.call("GET", `/venues/${cafe.slug}/tokens`)).status).toBe(200);
  expect(met(await newcomer.call("GET", `/venues/${lab.slug}/board`))).toBe("404 not_found");
  expect(await memberOf(newcomer)).toMatchObject({ is_accepted: false, last_seen_at: null });
  expect(met(await accept(newcomer, "staff"))).toBe("200");
  await newcomer.call("GET", `/venues/${lab.slug}/board`);
  expect(await memberOf(newcomer)).toMatchObject({ is_accepted: true, invitation: null, has_second_factor: false, sessions: 1 });
});

test("an invitation is mailed, opens the console once, and is recorded", async () => {
  const email = newAddress();
  const invited = await invite(owner, "manager", email);
  expect([invited.status, invited.body.data.is_accepted]).toEqual([201, false]);
  const linkIds = async () =>
    (await app.database.asOwner<{ id: string }>("select id from one_time_links where email = $1 and used_at is null", [email])).map((row) =>
      Number(row.id),
    );
  const [first = 0] = await linkIds();
  const jobs = await app.database.asOwner("select from jobs.job where name = 'send-link' and data->>'link_id' = $1", [String(first)]);
  expect(jobs.length).toBe(1);
  const again = await send(owner, `POST /${invited.body.data.id}/invitation`);
  expect(again.status, again.text).toBe(202);
  const [second = 0, ...others] = await linkIds();
  expect([second > first, others]).toEqual([true, []]);
  const secretOf = (id: number) => forVenue(app.deps, lab.slug, (ctx) => renewLinkSecret(ctx, id));
  expect(await secretOf(first)).toBeNull();
  const secret = (await secretOf(second))?.secret;
  const used = await consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } });
  expect((await consoleCall(app, "GET", `/venues/${lab.slug}/tokens`, { cookie: used.cookie })).status).toBe(200);
  const late = await send(owner, `POST /${invited.body.data.id}/invitation`);
  expect([late.status, Object.keys(late.body.error.details)]).toEqual([422, ["id"]]);
  expect((await entriesAbout(email)).map(({ action, actor_email, after }) => [action, actor_email, after])).toEqual([
    ["staff.invited", owner.email, { name: "Ada", role: "manager" }],
    ["staff.invitation_resent", owner.email, { name: "Ada", role: "manager" }],
    ["staff.invitation_accepted", email, { role: "manager" }],
  ]);
});

test("owners invite any role, managers staff only, staff no one; managers see the team and change nothing in it", async () => {
  const staff = await newMember("staff");
  const outcomes = async (by: TestUser) => [
    met(await invite(by, "owner")),
    met(await invite(by, "manager")),
    met(await invite(by, "staff")),
  ];
  expect(await outcomes(owner)).toEqual(["201", "201", "201"]);
  expect(await outcomes(manager)).toEqual(["403 role_required", "403 role_required", "201"]);
  expect(await outcomes(staff)).toEqual(Array(3).fill("403 role_required"));
  const pending = (await invite(await newMember("owner"), "manager")).body.data;
  const { id } = await memberOf(staff);
  expect([
    met(await send(manager, `POST /${pending.id}/invitation`)),
    met(await send(manager, `PUT /${id}/role`, { seen_role: "staff", role: "manager" })),
    met(await send(manager, `DELETE /${id}`, { seen_role: "staff", screens: "end", tokens: "end" })),
    met(await manager.call("GET", `/venues/${lab.slug}/team/${id}/sessions`)),
    met(await send(manager, `DELETE /${id}/sessions`)),
    met(await send(manager, "PUT /second-factor", { seen_is_required: false, is_required: true })),
    met(await staff.call("GET", `/venues/${lab.slug}/team`)),
  ]).toEqual(Array(7).fill("403 role_required"));
});

test("who is in the team is not invited again and keeps the role, also when two invite at once; an answer is given once for a key", async () => {
  const known = await newMember("staff");
  const refused = await invite(owner, "owner", known.email);
  expect([refused.status, Object.keys(refused.body.error.details), (await memberOf(known)).role]).toEqual([422, ["email"], "staff"]);
  const email = newAddress();
  const both = await Promise.all([invite(owner, "manager", email), invite(manager, "staff", email)]);
  expect(both.map(met).toSorted()).toEqual(["201", "422 validation_failed"]);
  const [body, headers] = [{ email: newAddress(), name: "Ben", role: "staff" }, { "idempotency-key": randomUUID() }];
  const once = () => owner.act("POST", `/venues/${lab.slug}/team`, { body, headers });
  const [one, two] = [await once(), await once()];
  expect([one.status, two.status, two.body]).toEqual([201, 201, one.body]);
  expect((await entriesAbout(body.email)).length).toBe(1);
});

test("a venue sends thirty invitations a day, five of them to one address, also when removed and invited again", async () => {
  const { slug } = await app.venue("lab", (file) => {
    file.restaurant.slug = "busy-lab";
  });
  const owners = await Promise.all([1, 2, 3, 4].map(() => createUser(app, slug, "owner", newAddress())));
  const [first, last] = [owners[0] as TestUser, await createUser(app, slug, "owner", newAddress())];
  const email = newAddress();
  const inviteTo = (by: TestUser, to: string) => send(by, "POST", { email: to, name: "Ada", role: "staff" }, slug);
  for (let turn = 0; turn < 5; turn++) {
    const { id } = (await inviteTo(first, email)).body.data;
    const order = { seen_role: "staff", screens: "end", tokens: "end" };
    expect(met(await send(first, `DELETE /${id}`, order, slug))).toBe("200");
  }
  const sixth = await inviteTo(first, email);
  expect([met(sixth), sixth.headers["retry-after"]]).toEqual(["429 rate_limited", "86400"]);
  const sent = await Promise.all(owners.flatMap((by) => Array.from({ length: by === first ? 3 : 8 }, () => inviteTo(by, newAddress()))));
  expect(sent.filter(({ status }) => status === 201).length).toBe(25);
  const full = await inviteTo(last, newAddress());
  expect([met(full), full.body.error.details]).toMatchObject(["429 rate_limited", { limit: "venue" }]);
  app.clock.advance(24 * 60 * 60_000);
  expect(met(await inviteTo(last, newAddress()))).toBe("201");
  app.clock.advance(-24 * 60 * 60_000);
});

test("one mailbox gets ten invitations a day from all venues together, also where the members were removed; the refusal says why", async () => {
  const email = newAddress();
  const tagged = email.replace("@", "+tag@");
  const venues = [];
  for (let turn = 0; turn < 4; turn++)
    venues.push(await app.venue("lab", (file) => Object.assign(file.restaurant, { slug: `inviting-${turn}` })));
  const inviteFrom = async ({ slug }: TestVenue, to: string): Promise<ConsoleAnswer> => {
    const by = await createUser(app, slug, "owner", newAddress());
    const answer = await send(by, "POST", { email: to, name: "Ada", role: "staff" }, slug);
    if (answer.status === 201)
      await send(by, `DELETE /${answer.body.data.id}`, { seen_role: "staff", screens: "end", tokens: "end" }, slug);
    return answer;
  };
  for (const venue of venues.slice(0, 3)) for (let turn = 0; turn < 3; turn++) expect(met(await inviteFrom(venue, email))).toBe("201");
  const both = await Promise.all(venues.slice(2).map((venue) => inviteFrom(venue, tagged)));
  expect(both.map(met).toSorted()).toEqual(["201", "429 rate_limited"]);
  const refused = await inviteFrom(venues[3] as TestVenue, email.toUpperCase());
  expect([met(refused), refused.body.error.details, refused.headers["retry-after"]]).toEqual([
    "429 rate_limited",
    { limit: "address", until: new Date(app.clock.now().getTime() + 24 * 60 * 60_000).toISOString() },
    "86400",
  ]);
  expect(met(await inviteFrom(venues[3] as TestVenue, newAddress()))).toBe("201");
  app.clock.advance(24 * 60 * 60_000);
  expect(met(await inviteFrom(venues[3] as TestVenue, email))).toBe("201");
  app.clock.advance(-24 * 60 * 60_000);
});

test("a role change is in force at once and recorded; with another role than the page saw it is refused", async () => {
  const person = await newMember("staff");
  const { id } = await memberOf(person);
  const change = (by: TestUser, seen_role: Role, role: Role) => send(by, `PUT /${id}/role`, { seen_role, role });
  expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(403);
  const watching = await openStream(app, lab.slug, manager);
  expect((await change(owner, "staff", "manager")).body.data).toMatchObject({ id, role: "manager" });
  expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(200);
  await expect.poll(() => watching.text()).toContain('"team"');
  watching.close();
  const late = await change(owner, "staff", "owner");
  expect([met(late), late.body.error.details]).toMatchObject([
    "409 state_changed",
    { member: { id, role: "manager" }, changed_by: "owner", changed_at: expect.any(String) },
  ]);
  expect((await change(owner, "manager", "manager")).status).toBe(200);
  expect((await change(owner, "manager", "staff")).status).toBe(200);
  expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(403);
  const changes = (await entriesAbout(person.email)).filter(({ action }) => action === "staff.role_changed");
  expect(changes.map(({ before, after }) => [before, after])).toEqual([
    [{ role: "staff" }, { role: "manager" }],
    [{ role: "manager" }, { role: "staff" }],
  ]);
  expect(met(await send(owner, "PUT /999999999/role", { seen_role: "staff", role: "owner" }))).toBe("404 not_found");
});

test("a removed person is refused at once and the open page ends; what was kept works, what was ended does not", async () => {
  const person = await newMember("manager");
  const { token } = (await person.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "mine", scopes: ["menu:read"] } })).body.data;
  const sandbox = (await person.call("POST", `/venues/${lab.slug}/sandbox`, { body: {} })).body.data.token;
  const screen = await pairScreen(app, lab.slug, person);
  const isWorking = async (bearer: string) => (await app.call(bearer, "GET", "/menus")).status === 200;
  const stream = await openStream(app, lab.slug, person);
  const stale = await remove(owner, person, { seen_role: "staff" });
  expect([met(stale), await isWorking(token), await isWorking(sandbox)]).toEqual(["409 state_changed", true, true]);
  const startedAt = performance.now();
  expect(met(await remove(owner, person, { screens: "keep", tokens: "end" }))).toBe("200");
  await expect.poll(() => stream.isEnded(), { interval: 20 }).toBe(true);
  expect(performance.now() - startedAt).toBeLessThan(3000);
  expect(met(await person.call("GET", `/venues/${lab.slug}/tokens`))).toBe("401 signed_out");
  expect([await isWorking(token), await isWorking(sandbox), (await screen.call("GET", "/kitchen")).status]).toEqual([false, false, 200]);
  expect((await entriesAbout(person.email)).slice(-2).map(({ action, before, after }) => [action, before, after])).toMatchObject([
    ["staff.removed", { role: "manager" }, null],
    ["staff.access_kept", null, { tokens: [], screens: [screen.id] }],
  ]);
  const gone = await send(owner, "DELETE /999999999", { seen_role: "staff", screens: "end", tokens: "end" });
  expect(met(gone)).toBe("404 not_found");
});

test("tokens can be kept while screens end; a membership elsewhere keeps its session", async () => {
  const person = await newMember("manager");
  await addMember(app, cafe.slug, person.email, "manager");
  const { token } = (await person.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "mine", scopes: ["menu:read"] } })).body.data;
  const screen = await pairScreen(app, lab.slug, person);
  expect(met(await remove(owner, person, { screens: "end", tokens: "keep" }))).toBe("200");
  expect([(await app.call(token, "GET", "/menus")).status, (await screen.call("GET", "/kitchen")).status]).toEqual([200, 401]);
  expect(met(await person.call("GET", `/venues/${lab.slug}/tokens`))).toBe("404 not_found");
  expect((await person.call("GET", `/venues/${cafe.slug}/tokens`)).status).toBe(200);
});

test("the last owner who accepted is neither lowered nor removed; an owner who has not accepted does not count", async () => {
  const { slug } = await app.venue("lab", (file) => {
    file.restaurant.slug = "one-owner";
  });
  const alone = await newMember("owner", slug);
  const self = await memberOf(alone, alone, slug);
  const lower = () => send(alone, `PUT /${self.id}/role`, { seen_role: "owner", role: "staff" }, slug);
  const leave = () => send(alone, `DELETE /${self.id}`, { seen_role: "owner", screens: "end", tokens: "end" }, slug);
  const other = newAddress();
  const secret = await linkFor(app, slug, other, "owner");
  for (const refused of [await lower(), await leave()])
    expect([refused.status, Object.keys(refused.body.error.details)]).toEqual([422, ["role"]]);
  const { cookie } = await consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } });
  await consoleCall(app, "GET", `/venues/${slug}/team`, { cookie });
  expect(met(await leave())).toBe("200");
  expect(met(await alone.call("GET", `/venues/${slug}/team`))).toBe("401 signed_out");
});

test("of two owners who remove, lower or leave at the same moment, one owner is always left", async () => {
  const { slug } = await app.venue("lab", (file) => {
    file.restaurant.slug = "two-owners";
  });
  const ownersLeft = async () =>
    (
      await app.database.asOwner("select from staff s join restaurants r on r.id = s.restaurant_id where r.slug = $1 and role = 'owner'", [
        slug,
      ])
    ).length;
  const ways = ["each other", "themselves", "lower each other", "lower themselves"];
  for (const way of [...ways, ...ways]) {
    await app.database.asOwner("delete from staff s using restaurants r where r.id = s.restaurant_id and r.slug = $1", [slug]);
    const [a, b] = [await newMember("owner", slug), await newMember("owner", slug)];
    const [one, two] = [await memberOf(a, a, slug), await memberOf(b, b, slug)];
    const isLowering = way.startsWith("lower");
    const [ofA, ofB] = way.endsWith("each other") ? [two, one] : [one, two];
    const act = (by: TestUser, { id }: TeamMember) =>
      isLowering
        ? send(by, `PUT /${id}/role`, { seen_role: "owner", role: "staff" }, slug)
        : send(by, `DELETE /${id}`, { seen_role: "owner", screens: "keep", tokens: "keep" }, slug);
    const answers = await Promise.all([act(a, ofA), act(b, ofB)]);
    expect(answers.map(({ status }) => status).filter((status) => status === 200).length, way).toBe(1);
    expect(await ownersLeft(), way).toBe(1);
  }
});

test("an owner sees the sessions of a member in this venue and ends them: devices, pages and calls", async () => {
  const person = await newMember("manager");
  const second = await consoleCall(app, "POST", "/session", { body: { email: person.email, password: PASSWORD } });
  const { id } = await memberOf(person);
  const list = async () => (await owner.call("GET", `/venues/${lab.slug}/team/${id}/sessions`)).body.data;
  const [session, ...others] = await list();
  expect([others, Object.keys(session).toSorted()]).toEqual([[], ["address", "browser", "created_at", "id", "last_seen_at", "system"]]);
  await consoleCall(app, "GET", `/venues/${lab.slug}/tokens`, { cookie: second.cookie });
  expect((await list()).length).toBe(2);
  const stream = await openStream(app, lab.slug, person);
  expect((await send(owner, `DELETE /${id}/sessions`)).body.data).toEqual({ ended: 2 });
  await expect.poll(() => stream.isEnded()).toBe(true);
  for (const cookie of [person.cookie, second.cookie])
    expect(met(await consoleCall(app, "GET", `/venues/${lab.slug}/tokens`, { cookie }))).toBe("401 signed_out");
  expect(await memberOf(person)).toMatchObject({ role: "manager", is_accepted: true, sessions: 0 });
  expect((await entriesAbout(person.email)).at(-1)).toMatchObject({ action: "staff.sessions_ended", before: { sessions: 2 } });
  const own = await send(owner, `DELETE /${(await memberOf(owner)).id}/sessions`);
  expect([own.status, Object.keys(own.body.error.details)]).toEqual([422, ["id"]]);
});

test("who was removed and is invited again shows no session before accepting, and none is ended", async () => {
  const person = await newMember("staff", cafe.slug);
  await addMember(app, lab.slug, person.email, "staff");
  await person.call("GET", `/venues/${lab.slug}/board`);
  expect((await memberOf(person)).sessions).toBe(1);
  expect(met(await remove(owner, person))).toBe("200");
  const again = (await invite(owner, "staff", person.email)).body.data;
  expect(again).toMatchObject({ is_accepted: false, sessions: 0 });
  expect((await owner.call("GET", `/venues/${lab.slug}/team/${again.id}/sessions`)).body.data).toEqual([]);
  expect((await send(owner, `DELETE /${again.id}/sessions`)).body.data).toEqual({ ended: 0 });
  const rows = await app.database.asOwner<{ venue_ids: string[] }>(
    "select s.venue_ids from sessions s join users p on p.id = s.user_id where p.email = $1",
    [person.email],
  );
  expect(rows.map(({ venue_ids }) => venue_ids.map(Number))).toEqual([[cafe.id]]);
  expect((await person.call("GET", `/venues/${cafe.slug}/board`)).status).toBe(200);
});

test("with a lower role, access that the person made ends or is kept as the owner says; what is kept is recorded", async () => {
  const makeAccess = async () => {
    const person = await newMember("manager");
    await person.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "mine", scopes: ["menu:read"] } });
    await pairScreen(app, lab.slug, person);
    return person;
  };
  const lower = async (person: TestUser, choice: object) =>
    met(await send(owner, `PUT /${(await memberOf(person)).id}/role`, { seen_role: "manager", role: "staff", ...choice }));
  const actionsAbout = async ({ email }: TestUser) => (await entriesAbout(email)).map(({ action }) => action);
  const ended = await makeAccess();
  expect(await lower(ended, { tokens: "end", screens: "keep" })).toBe("200");
  expect(await memberOf(ended)).toMatchObject({ role: "staff", tokens: 0, screens: 1 });
  expect((await actionsAbout(ended)).slice(-2)).toEqual(["staff.role_changed", "staff.access_kept"]);
  const kept = await makeAccess();
  expect(await lower(kept, {})).toBe("200");
  expect(await memberOf(kept)).toMatchObject({ role: "staff", tokens: 1, screens: 1 });
  expect((await entriesAbout(kept.email)).at(-1)).toMatchObject({
    action: "staff.access_kept",
    after: { tokens: [expect.any(Number)], screens: [expect.any(Number)] },
  });
});
