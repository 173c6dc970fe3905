/** Sign-in, sessions and devices over HTTP, with the calls that the console makes. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeStaff } from "#platform/people/memberships/service.ts";
import { addMember, consoleCall, createUser, linkFor, PASSWORD } from "../../../../test/support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let plant: InjectedFault = () => null;

beforeAll(async () => {
  const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;
  app = await startApp({ environment: { ENCRYPTION_KEYS }, pool: faultInjectingPool((...statement) => plant(...statement)) });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
});
afterAll(() => app.close());

const signIn = (email: string, password = PASSWORD, code?: string) =>
  consoleCall(app, "POST", "/session", { body: { email, password, ...(code === undefined ? {} : { code }) } });
const later = () => app.clock.advance(61_000);

test("an invited user sets a password, is signed in, and sees their venues", async () => {
  const owner = await createUser(app, lab.slug, "owner", "ada@example.com");
  await addMember(app, cafe.slug, "ada@example.com", "staff");
  const session = await owner.call("GET", "/session");
  expect(session.body.data).toMatchObject({
    person: { email: "ada@example.com", name: "ada", has_second_factor: false },
    venues: [
      { slug: lab.slug, role: "owner" },
      { slug: cafe.slug, role: "staff" },
    ],
  });
  const again = await signIn("ADA@example.com");
  expect(again.status, again.text).toBe(201);
  expect(again.headers["cache-control"]).toBe("no-store");
  // The database contains neither the cookie nor the password.
  const dump = JSON.stringify(
    await app.database.asOwner(
      "select to_jsonb(p) from users p union all select to_jsonb(s) from sessions s union all select to_jsonb(d) from known_devices d",
    ),
  );
  for (const secret of [again.cookie ?? "-", again.devices ?? "-", owner.cookie, PASSWORD]) expect(dump).not.toContain(secret);
});

test("a wrong password, an unknown address and a user without a password get the same answer", async () => {
  const { email } = await createUser(app, lab.slug, "staff", "grace@example.com");
  await linkFor(app, lab.slug, "invited@example.com", "staff");
  const answers = [];
  for (const [address, password] of [
    [email, "wrong password"],
    ["unknown@example.com", PASSWORD],
    ["invited@example.com", PASSWORD],
  ] as const)
    answers.push(await signIn(address, password));
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(answers[0]?.text);
    expect(answer.cookie).toBeNull();
  }
});

test("ten wrong passwords a minute for one account from one address; forwarded headers do not change the address", async () => {
  const { email } = await createUser(app, lab.slug, "staff", "limits@example.com");
  const statuses = [];
  for (let attempt = 0; attempt < 12; attempt++)
    statuses.push(
      (
        await consoleCall(app, "POST", "/session", {
          body: { email, password: "wrong" },
          headers: { "x-forwarded-for": `10.0.0.${attempt}` },
        })
      ).status,
    );
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  const refused = await signIn(email);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
});

describe("sessions", () => {
  test("end by signing out, by signing out everywhere, by a new password, and by expiry", async () => {
    const person = await createUser(app, lab.slug, "manager", "sessions@example.com");
    const second = await signIn(person.email);
    const as = (cookie: string | null) => consoleCall(app, "GET", "/session", { cookie });
    expect((await person.call("GET", "/sessions")).body.data).toHaveLength(2);
    expect((await consoleCall(app, "DELETE", "/session", { cookie: second.cookie })).cookie).toBe("");
    expect((await as(second.cookie)).status).toBe(401);
    expect((await as(person.cookie)).status).toBe(200);
    const third = await signIn(person.email);
    expect((await person.call("DELETE", "/sessions")).status).toBe(200);
    for (const cookie of [person.cookie, third.cookie]) expect((await as(cookie)).status).toBe(401);
    const fourth = await signIn(person.email);
    const changed = await consoleCall(app, "PUT", "/password", {
      cookie: fourth.cookie,
      body: { current: PASSWORD, password: "another long one" },
    });
    expect(changed.status, changed.text).toBe(200);
    expect((await as(fourth.cookie)).status).toBe(401);
    expect((await as(changed.cookie)).status).toBe(200);
    later();
    expect((await signIn(person.email)).status).toBe(401);
    app.clock.advance(14 * DAY_MS + 1);
    expect((await as(changed.cookie)).status).toBe(401);
  });

  test("are not created with a password that changed while it was compared", async () => {
    const changed = "quite another password";
    for (let round = 0; round < 3; round++) {
      const person = await createUser(app, lab.slug, "manager", `hurry-${round}@example.com`);
      const signIns = Array.from({ length: 6 }, (_, index) => sleep(index * 20).then(() => signIn(person.email)));
      const change = person.call("PUT", "/password", { body: { current: PASSWORD, password: changed } });
      const [opened, { status }] = [await Promise.all(signIns), await change];
      expect(status).toBe(200);
      for (const { cookie } of opened) expect((await consoleCall(app, "GET", "/session", { cookie })).status).toBe(401);
      later();
    }
  });

  test("are extended by use, up to sixty days", async () => {
    const person = await createUser(app, lab.slug, "manager", "long@example.com");
    for (let day = 0; day < 50; day += 10) {
      app.clock.advance(10 * DAY_MS);
      expect((await person.call("GET", "/session")).status, `day ${day + 10}`).toBe(200);
    }
    app.clock.advance(10 * DAY_MS + 1);
    expect((await person.call("GET", "/session")).status).toBe(401);
  });

  test("of a removed member are rejected from the next request on", async () => {
    const person = await createUser(app, lab.slug, "owner", "gone@example.com");
    expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(200);
    await forVenue(app.deps, lab.slug, (ctx) => removeStaff(ctx, person.email));
    expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(404);
  });
});

describe("devices", () => {
  const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0";

  test("are listed by browser and system, and signed out one by one", async () => {
    const person = await createUser(app, lab.slug, "manager", "devices@example.com");
    const second = await consoleCall(app, "POST", "/session", {
      body: { email: person.email, password: PASSWORD },
      headers: { "user-agent": FIREFOX },
    });
    const rows = (await person.call("GET", "/sessions")).body.data;
    const other = rows.find(({ is_current }: { is_current: boolean }) => !is_current);
    expect(other).toMatchObject({ browser: "Firefox", system: "Linux", address: "127.0.0.1" });
    expect(JSON.stringify(rows)).not.toContain("Mozilla");
    const outsider = await createUser(app, lab.slug, "manager", "other@example.com");
    expect((await outsider.call("DELETE", `/sessions/${other.id}`)).status).toBe(404);
    expect((await person.call("DELETE", `/sessions/${other.id}`)).status).toBe(200);
    expect((await person.call("DELETE", `/sessions/${other.id}`)).status).toBe(404);
    expect((await consoleCall(app, "GET", "/session", { cookie: second.cookie })).status).toBe(401);
    expect((await person.call("GET", "/session")).status).toBe(200);
  });

  test("one browser can be known to several accounts; signing in again replaces the session", async () => {
    const [ada, eve] = [
      await createUser(app, lab.slug, "staff", "desk-1@example.com"),
      await createUser(app, lab.slug, "staff", "desk-2@example.com"),
    ];
    const both = `${ada.devices}.${eve.devices}`;
    const again = await consoleCall(app, "POST", "/session", { body: { email: ada.email, password: PASSWORD }, devices: both });
    expect(again.devices).toBe(both);
    expect((await ada.call("GET", "/session")).status).toBe(401);
    expect((await eve.call("GET", "/session")).status).toBe(200);
    const last = await consoleCall(app, "POST", "/session", { body: { email: eve.email, password: PASSWORD }, devices: both });
    expect(last.devices).toBe(`${eve.devices}.${ada.devices}`);
    expect(last.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-comanda=[0-9A-Za-z]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=5184000$/),
      expect.stringMatching(/^__Host-comanda-devices=[0-9A-Za-z.]{87}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=15552000$/),
    ]);
  });
});

describe("a recent password", () => {
  const TOKEN = { name: "till", scopes: ["menu:read"] };

  test("is required for a new token: given in this session within ten minutes", async () => {
    const person = await createUser(app, lab.slug, "manager", "token@example.com");
    const create = () => person.call("POST", `/venues/${lab.slug}/tokens`, { body: TOKEN });
    const made = await create();
    expect(made.status).toBe(201);
    app.clock.advance(10 * 60_000);
    const [late, roll] = [
      await create(),
      await person.call("POST", `/venues/${lab.slug}/tokens/${made.body.data.id}/roll`, { body: { overlap: "now" } }),
    ];
    for (const answer of [late, roll]) expect([answer.status, answer.body.error.code]).toEqual([403, "password_required"]);
    const wrong = await person.call("POST", "/session/password", { body: { password: "not the password" } });
    expect([wrong.status, wrong.body.error.code]).toEqual([401, "sign_in_failed"]);
    expect((await create()).status).toBe(403);
    expect((await person.call("POST", "/session/password", { body: { password: PASSWORD } })).status).toBe(200);
    expect((await create()).status).toBe(201);
  });

  test("of another session does not count, and a role without the permission gets its own error first", async () => {
    const person = await createUser(app, lab.slug, "manager", "two@example.com");
    app.clock.advance(11 * 60_000);
    const other = await signIn(person.email);
    expect((await person.call("POST", `/venues/${lab.slug}/tokens`, { body: TOKEN })).body.error.code).toBe("password_required");
    const create = { cookie: other.cookie, body: TOKEN };
    expect((await consoleCall(app, "POST", `/venues/${lab.slug}/tokens`, create)).status).toBe(201);
    const staff = await createUser(app, lab.slug, "staff", "helper@example.com");
    app.clock.advance(11 * 60_000);
    expect((await staff.call("POST", `/venues/${lab.slug}/tokens`, { body: TOKEN })).body.error.code).toBe("role_required");
  });

  test("planted fault: without the time of the password every session can create tokens", async () => {
    const person = await createUser(app, lab.slug, "manager", "locked-out@example.com");
    app.clock.advance(11 * 60_000);
    plant = ({ text, ...rest }) =>
      text.includes("s.password_at")
        ? { ...rest, text: text.replace("s.password_at", "'2100-01-01'::timestamptz as password_at"), name: "planted" }
        : null;
    const made = await person.call("POST", `/venues/${lab.slug}/tokens`, { body: TOKEN });
    plant = () => null;
    expect(made.status).toBe(201);
  });

  test("ten wrong passwords inside a session limit that session, not the account", async () => {
    const person = await createUser(app, lab.slug, "manager", "wrong@example.com");
    const statuses = [];
    for (let attempt = 0; attempt < 11; attempt++)
      statuses.push((await person.call("POST", "/session/password", { body: { password: "wrong" } })).status);
    expect(statuses).toEqual([...Array(10).fill(401), 429]);
    const other = await signIn(person.email);
    const again = { cookie: other.cookie, body: { password: PASSWORD } };
    expect([other.status, (await consoleCall(app, "POST", "/session/password", again)).status]).toEqual([201, 200]);
  });
});
