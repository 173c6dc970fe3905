/** Signing in to the console: over HTTP, as the console's page does it. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { codeAt, stepAt } from "#lib/totp.ts";
import { removeStaff } from "#platform/staff/service.ts";
import { startWorker } from "#worker.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../test/app.ts";
import { consoleCall, hire, linkFor, PASSWORD } from "../../../test/console.ts";
import { openPostOffice, type PostOffice } from "../../../test/post-office.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let office: PostOffice;

beforeAll(async () => {
  office = await openPostOffice();
  const SECRET_KEYS = `test:${randomBytes(32).toString("base64")}`;
  app = await startApp({ environment: { SECRET_KEYS, SMTP_URL: office.smtpUrl, PUBLIC_URL: "https://comanda.example" } });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
});
afterAll(async () => {
  await app.close();
  await office.close();
});

const signIn = (email: string, password = PASSWORD, code?: string) =>
  consoleCall(app, "POST", "/session", { body: { email, password, ...(code === undefined ? {} : { code }) } });
const later = () => app.clock.advance(61_000);

test("an invited person chooses a password, is signed in, and sees the venues they work in", async () => {
  const owner = await hire(app, lab.slug, "owner", "ada@example.com");
  await linkFor(app, cafe.slug, "ada@example.com", "staff");
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
  expect(again.headers["set-cookie"]).toMatch(/^__Host-comanda=[0-9A-Za-z]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=5184000$/);
  expect(again.headers["cache-control"]).toBe("no-store");
  // Neither the cookie nor the password is anywhere in the database.
  const dump = JSON.stringify(await app.database.asOwner("select to_jsonb(p) from people p union all select to_jsonb(s) from sessions s"));
  for (const secret of [again.cookie ?? "-", owner.cookie, PASSWORD]) expect(dump).not.toContain(secret);
});

test("wrong passwords, unknown addresses and people without a password look the same", async () => {
  const { email } = await hire(app, lab.slug, "staff", "grace@example.com");
  await linkFor(app, lab.slug, "invited@example.com", "staff");
  const answers = [];
  for (const [address, password] of [
    [email, "wrong password"],
    ["nobody@example.com", PASSWORD],
    ["invited@example.com", PASSWORD],
  ] as const)
    answers.push(await signIn(address, password));
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(answers[0]?.text);
    expect(answer.cookie).toBeNull();
  }
});

test("ten attempts a minute for one account, then it waits, whatever the address says it is", async () => {
  const { email } = await hire(app, lab.slug, "staff", "limits@example.com");
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
  test("end when signed out, everywhere at once, with the password, and by themselves", async () => {
    const person = await hire(app, lab.slug, "manager", "sessions@example.com");
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

  test("none is opened with a password that was changed while it was compared", async () => {
    const changed = "quite another password";
    for (let round = 0; round < 3; round++) {
      const person = await hire(app, lab.slug, "manager", `hurry-${round}@example.com`);
      const signIns = Array.from({ length: 6 }, (_, index) => sleep(index * 20).then(() => signIn(person.email)));
      const change = person.call("PUT", "/password", { body: { current: PASSWORD, password: changed } });
      const [opened, { status }] = [await Promise.all(signIns), await change];
      expect(status).toBe(200);
      for (const { cookie } of opened) expect((await consoleCall(app, "GET", "/session", { cookie })).status).toBe(401);
      later();
    }
  });

  test("live on while they are used, sixty days at most", async () => {
    const person = await hire(app, lab.slug, "manager", "long@example.com");
    for (let day = 0; day < 50; day += 10) {
      app.clock.advance(10 * DAY_MS);
      expect((await person.call("GET", "/session")).status, `day ${day + 10}`).toBe(200);
    }
    app.clock.advance(10 * DAY_MS + 1);
    expect((await person.call("GET", "/session")).status).toBe(401);
  });

  test("somebody who no longer works there is out with the next request", async () => {
    const person = await hire(app, lab.slug, "owner", "gone@example.com");
    expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(200);
    await forVenue(app.deps, lab.slug, (ctx) => removeStaff(ctx, person.email));
    expect((await person.call("GET", `/venues/${lab.slug}/tokens`)).status).toBe(404);
  });
});

describe("links", () => {
  test("work once, for their time; of twenty at once one wins", async () => {
    const secret = await linkFor(app, lab.slug, "link@example.com", "staff");
    const use = () => consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } });
    expect((await consoleCall(app, "POST", "/links/read", { body: { secret } })).body.data).toMatchObject({
      kind: "invitation",
      email: "link@example.com",
    });
    later();
    const answers = await Promise.all(Array.from({ length: 20 }, use));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.every(({ status }) => status === 201 || status === 422)).toBe(true);
    const late = await linkFor(app, lab.slug, "late@example.com", "staff");
    app.clock.advance(7 * DAY_MS + 1);
    expect((await consoleCall(app, "POST", "/links/use", { body: { secret: late, password: PASSWORD } })).status).toBe(422);
  });

  test("a forgotten password: the same answer for everybody, a link by mail for whoever works somewhere, in no row and no log", async () => {
    const person = await hire(app, lab.slug, "owner", "forgot@example.com");
    office.reset();
    const worker = await startWorker(app.deps);
    const ask = (email: string) => consoleCall(app, "POST", "/password-reset", { body: { email } });
    const [known, unknown] = [await ask(person.email), await ask("stranger@example.com")];
    expect([known.status, known.text]).toEqual([unknown.status, unknown.text]);
    while (office.mails.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    await worker.stop();
    expect(office.mails).toHaveLength(1);
    const [mail] = office.mails;
    const secret =
      /https:\/\/comanda\.example\/console\/link#([0-9A-Za-z]{43})/.exec(mail?.body.replaceAll(/=\r?\n/g, "") ?? "")?.[1] ?? "";
    expect(secret).not.toBe("");
    const tables = await app.database.asOwner<{ name: string }>(
      "select tablename as name from pg_tables where schemaname in ('app', 'jobs')",
    );
    for (const { name } of tables) {
      const schema =
        name === "job" || name.startsWith("job_") || ["queue", "version", "schedule", "subscription", "warning", "bam"].includes(name)
          ? "jobs"
          : "app";
      const rows = await app.database
        .asOwner(`select 1 from ${schema}.${name} t where t::text like '%' || $1 || '%'`, [secret])
        .catch(() => []);
      expect(rows, name).toEqual([]);
    }
    const used = await consoleCall(app, "POST", "/links/use", { body: { secret, password: "a brand new password" } });
    expect(used.status, used.text).toBe(201);
    expect((await person.call("GET", "/session")).status).toBe(401);
  });
});

test("RFC 6238 codes are guessed no faster through a link than by signing in", async () => {
  const person = await hire(app, lab.slug, "owner", "guessed@example.com");
  const { secret } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  await person.call("PUT", "/second-factor", { body: { code: codeAt(secret, stepAt(app.clock.now())) } });
  const link = await linkFor(app, lab.slug, person.email, "owner");
  const statuses: number[] = [];
  for (let index = 0; index < 12; index++) {
    const { statusCode } = await app.app.http.inject({
      method: "POST",
      url: "/console/api/links/use",
      remoteAddress: `192.0.2.${index}`,
      headers: { "sec-fetch-site": "same-origin", "content-type": "application/json" },
      payload: { secret: link, password: "another long one", code: "000000" },
    });
    statuses.push(statusCode);
  }
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10);
  expect(statuses.at(-1)).toBe(429);
});

test("RFC 6238 a second factor is asked for once it is confirmed, and no code works twice", async () => {
  const person = await hire(app, lab.slug, "owner", "totp@example.com");
  expect((await person.call("POST", "/second-factor", { body: { password: "wrong" } })).status).toBe(401);
  const begun = await person.call("POST", "/second-factor", { body: { password: PASSWORD } });
  const { secret, uri } = begun.body.data;
  expect(uri).toContain(secret);
  expect((await signIn(person.email)).status).toBe(201);
  const code = () => codeAt(secret, stepAt(app.clock.now()));
  expect((await person.call("PUT", "/second-factor", { body: { code: "000000" } })).status).toBe(422);
  expect((await person.call("PUT", "/second-factor", { body: { code: code() } })).status).toBe(200);
  later();
  const without = await signIn(person.email);
  expect(without.status).toBe(401);
  expect(without.body.error.details).toEqual({ second_factor: true });
  const right = code();
  const answers = await Promise.all(Array.from({ length: 2 }, () => signIn(person.email, PASSWORD, right)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect((await app.database.asOwner("select 1 from people where sealed_totp_secret like '%' || $1 || '%'", [secret])).length).toBe(0);
  later();
  const ended = await person.call("DELETE", "/second-factor", { body: { password: PASSWORD, code: code() } });
  expect(ended.body.data).toMatchObject({ has_second_factor: false });
  later();
  expect((await signIn(person.email)).status).toBe(201);
});
