/** Mail about security events of accounts and venues: in the user's language, limited in number, without links. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withoutVenue } from "#admin/command-context.ts";
import { asSystem } from "#compose/as-system.ts";
import { startWorker } from "#compose/worker.ts";
import { codeAt, stepAt } from "#lib/totp.ts";
import { createMessageSender } from "#platform/messages/notifications/send.ts";
import { addMember, consoleCall, createUser, linkFor, PASSWORD } from "../../../../test/support/console-client.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../../../test/support/fake-smtp-and-sms.ts";
import { askConsent, authorizeUrl, newApp, newPkce } from "../../../../test/support/marketplace.ts";
import { startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { alertJobs } from "./jobs.ts";
import type { AlertKind } from "./rules/texts.ts";
import { ALERTS_PER_DAY_MAX, VENUE_ALERTS_PER_DAY_MAX, writeAlert } from "./rules/write-alert.ts";

let app: TestApp;
let lab: TestVenue;
let mailAndSms: FakeMailAndSms;

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  app = await startApp({ environment: { ENCRYPTION_KEYS: `test:${randomBytes(32).toString("base64")}`, SMTP_URL: mailAndSms.smtpUrl } });
  lab = await app.venue("lab", (file) => {
    file.staff = [];
  });
});
afterAll(async () => {
  await app.close();
  await mailAndSms.close();
});

type StoredAlert = { kind: AlertKind; language: string; state: string; body: string };
const alertsTo = (email: string): Promise<StoredAlert[]> =>
  app.database.asOwner<StoredAlert>("select kind, language, state, body from security_alerts where email = $1 order by id", [email]);

const CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

test("every security event of an account, and a new token, is mailed in the user's language", async () => {
  const person = await createUser(app, lab.slug, "owner", "ada@example.com");
  expect(await alertsTo(person.email)).toEqual([]);
  await person.call("PATCH", "/person", { body: { locale: "ar" } });
  const token = { name: "session http://evil.example now", scopes: ["menu:read"] };
  expect((await person.call("POST", `/venues/${lab.slug}/tokens`, { body: token })).status).toBe(201);
  const { secret } = (await person.call("POST", "/second-factor", { body: { password: PASSWORD } })).body.data;
  const code = () => codeAt(secret, stepAt(app.clock.now()));
  const codes = (await person.call("PUT", "/second-factor", { body: { code: code() } })).body.data.recovery_codes;
  const headers = { "user-agent": CHROME };
  const body = { email: person.email, password: PASSWORD, code: codes[0] };
  const fresh = await consoleCall(app, "POST", "/session", { body, headers });
  expect(fresh.status, fresh.text).toBe(201);
  await consoleCall(app, "POST", "/session", { body: { ...body, code: codes[1] }, headers, devices: fresh.devices });
  app.clock.advance(61_000);
  await person.call("DELETE", "/second-factor", { body: { password: PASSWORD, code: code() } });
  await person.call("PUT", "/password", { body: { current: PASSWORD, password: "another long one" } });
  const alerts = await alertsTo(person.email);
  expect(alerts.map(({ kind }) => kind)).toEqual([
    "token.created",
    "factor.on",
    "recovery_code.used",
    "device.new",
    "recovery_code.used",
    "factor.off",
    "password.changed",
  ]);
  expect(new Set(alerts.map(({ language }) => language))).toEqual(new Set(["ar"]));
  expect(alerts[3]?.body).toContain("Chrome, Windows");
  for (const { body: text } of alerts) expect(text).not.toMatch(/https?:\/\//);

  mailAndSms.reset();
  const worker = await startWorker(app.deps);
  while (mailAndSms.mails.length < alerts.length) await sleep(50);
  await worker.stop();
  expect(mailAndSms.mails).toHaveLength(alerts.length);
  for (const { to } of mailAndSms.mails) expect(to).toEqual([person.email]);
  expect((await alertsTo(person.email)).map(({ state }) => state)).toEqual(alerts.map(() => "sent"));
});

const isWaiting = ({ state }: StoredAlert): boolean => state === "queued";

test("a new token is mailed to every owner who accepted and to no other user; a rolled back change sends no mail", async () => {
  const manager = await createUser(app, lab.slug, "manager", "manager@example.com");
  const owner = { email: "owner@example.com" };
  const secret = await linkFor(app, lab.slug, owner.email, "owner");
  const create = (scopes: string[]) => manager.call("POST", `/venues/${lab.slug}/tokens`, { body: { name: "till", scopes } });
  expect((await create(["no:scope"])).status).toBe(422);
  expect(await alertsTo(owner.email)).toEqual([]);
  expect((await create(["menu:read"])).status).toBe(201);
  expect(await alertsTo(owner.email)).toEqual([]);
  await consoleCall(app, "POST", "/links/use", { body: { secret, password: PASSWORD } });
  expect((await create(["menu:read"])).status).toBe(201);
  expect((await alertsTo(owner.email)).map(({ kind }) => kind)).toEqual(["token.created"]);
  expect(await alertsTo(manager.email)).toEqual([]);
});

test("a user without a chosen language is mailed in the invitation's language, else in the venue's", async () => {
  const trattoria = await app.venue("trattoria", (file) => {
    file.staff = [];
  });
  const person = await createUser(app, trattoria.slug, "owner", "gina@example.com");
  const languages = async () => (await alertsTo(person.email)).map(({ language }) => language);
  const token = { name: "till", scopes: ["menu:read"] };
  expect((await person.call("POST", `/venues/${trattoria.slug}/tokens`, { body: token })).status).toBe(201);
  await consoleCall(app, "POST", "/session", { body: { email: person.email, password: PASSWORD } });
  expect(await languages()).toEqual(["it", "it"]);
  await app.database.asOwner("update staff set locale = 'ar' where email = $1", [person.email]);
  await consoleCall(app, "POST", "/session", { body: { email: person.email, password: PASSWORD } });
  expect(await languages()).toEqual(["it", "it", "ar"]);
});

test("owners are mailed when an app is allowed and when a webhook address is added or changed", async () => {
  const venue = await app.venue("gulf-cafe", (file) => {
    file.staff = [];
  });
  const owner = await createUser(app, venue.slug, "owner", "told@example.com");
  const hooks = `/venues/${venue.slug}/webhooks`;
  const added = await owner.call("POST", hooks, { body: { url: "https://evil.example/in?key=x", events: ["order.created"] } });
  expect(added.status, added.text).toBe(201);
  const change = (body: object) => owner.call("PATCH", `${hooks}/${added.body.data.id}`, { body });
  for (const body of [{ description: "till" }, { url: "https://evil.example/in?key=x" }, { url: "https://worse.example/" }])
    expect((await change(body)).status).toBe(200);
  const request = await askConsent(app, authorizeUrl(await newApp(app.deps), newPkce()));
  const allowed = await owner.call("POST", `/venues/${venue.slug}/consents`, { body: { request, scopes: ["menu:read"] } });
  expect(allowed.status, allowed.text).toBe(200);
  const alerts = await alertsTo(owner.email);
  expect(alerts.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    "webhook.added queued",
    "webhook.changed queued",
    "app.allowed queued",
  ]);
  for (const [index, words] of ["evil. example", "worse. example", "Table Talk"].entries()) expect(alerts[index]?.body).toContain(words);
  for (const { body } of alerts) expect(body).not.toMatch(/https?:|key=x/);

  // Nothing in a sandbox is real: no user is mailed, not even an owner that its own rows name.
  expect((await owner.act("POST", `/venues/${venue.slug}/sandbox`, {})).status).toBe(201);
  await app.database.asOwner(
    `insert into staff (restaurant_id, email, name, role, created_at, accepted_at)
      select id, $2, 'Ada', 'owner', $3, $3 from restaurants where slug = $1`,
    [`${venue.slug}.sandbox`, owner.email, app.clock.now()],
  );
  const tried = await owner.call("POST", `/venues/${venue.slug}.sandbox/webhooks`, {
    body: { url: "https://tried.example/", events: ["order.created"] },
  });
  expect(tried.status, tried.text).toBe(201);
  expect(await alertsTo(owner.email)).toHaveLength(alerts.length);
});

test("an address gets at most five mails of a kind in a day and the last one says so; other kinds and venues are not affected", async () => {
  const owner = await createUser(app, lab.slug, "owner", "bounded@example.com");
  const other = await app.venue("lab", (file) => {
    file.staff = [];
    file.restaurant.slug = "other-lab";
    file.restaurant.name = { en: "Other" };
  });
  await addMember(app, other.slug, owner.email, "owner");
  const create = (slug: string, name: string) => owner.call("POST", `/venues/${slug}/tokens`, { body: { name, scopes: ["menu:read"] } });
  for (let index = 0; index < ALERTS_PER_DAY_MAX + 2; index++) await create(lab.slug, `token ${index}`);
  await create(other.slug, "elsewhere");
  await owner.call("PUT", "/password", { body: { current: PASSWORD, password: "another long one" } });
  const alerts = await alertsTo(owner.email);
  expect(alerts.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
    ...Array(ALERTS_PER_DAY_MAX).fill("token.created queued"),
    ...Array(2).fill("token.created skipped"),
    "token.created queued",
    "password.changed queued",
  ]);
  const isLast = ({ body }: StoredAlert) => /no more mails|non riceverà altri|لن تصلكم رسائل أخرى/.test(body);
  expect(alerts.filter(({ state }) => state === "queued").map(isLast)).toEqual([false, false, false, false, true, false, false]);
});

test("a new name of the venue does not start the count again, another venue of the same name has its own, and all venues have one limit", async () => {
  const venues = [];
  for (let turn = 0; turn < 2; turn++)
    venues.push(
      await app.venue("lab", (file) => Object.assign(file, { staff: [], restaurant: { ...file.restaurant, slug: `twin-${turn}` } })),
    );
  const [one, two] = venues as [TestVenue, TestVenue];
  const owner = await createUser(app, one.slug, "owner", "twins@example.com");
  await addMember(app, two.slug, owner.email, "owner");
  const create = (slug: string) => owner.call("POST", `/venues/${slug}/tokens`, { body: { name: "till", scopes: ["menu:read"] } });
  for (let turn = 0; turn < ALERTS_PER_DAY_MAX + 1; turn++) {
    const name = { en: `Lab ${turn}` };
    await app.database.asOwner("update restaurants set name = $2 where id = $1", [one.id, name]);
    expect((await create(one.slug)).status).toBe(201);
  }
  expect((await alertsTo(owner.email)).filter(isWaiting)).toHaveLength(ALERTS_PER_DAY_MAX);
  await app.database.asOwner("update restaurants set name = $2 where id = $1", [two.id, { en: "Lab 0" }]);
  await create(two.slug);
  expect((await alertsTo(owner.email)).filter(isWaiting)).toHaveLength(ALERTS_PER_DAY_MAX + 1);
  await app.database.asOwner(
    `insert into security_alerts (email, kind, about_restaurant_id, language, subject, body, state, created_at)
      select $1, 'webhook.added', 900000 + n, 'en', 's', 'b', 'sent', $2 from generate_series(1, $3::integer) n`,
    [owner.email, app.clock.now(), VENUE_ALERTS_PER_DAY_MAX - ALERTS_PER_DAY_MAX - 2],
  );
  for (let turn = 0; turn < 2; turn++) await create(two.slug);
  await owner.call("PUT", "/password", { body: { current: PASSWORD, password: "another long one" } });
  const states = (await alertsTo(owner.email)).filter(({ body }) => body !== "b").map(({ kind, state }) => `${kind} ${state}`);
  expect(states.slice(-3)).toEqual(["token.created queued", "token.created skipped", "password.changed queued"]);
});

test("after five transient failures the mail is marked failed and does not count for the limit", async () => {
  const owner = await createUser(app, lab.slug, "owner", "put-off@example.com");
  await owner.call("PUT", "/password", { body: { current: PASSWORD, password: "another long one" } });
  const [row] = await app.database.asOwner<{ id: number }>("select id::integer from security_alerts where email = $1", [owner.email]);
  const id = row?.id ?? 0;
  const jobs = alertJobs({ sender: createMessageSender(app.deps.config), inGlobalTransaction: (work) => withoutVenue(app.deps, work) });
  const run = (attempt: number) => jobs["send-alert"](asSystem(app.deps, lab.id), { alert_id: id, attempt });
  const planned = () =>
    app.database.asOwner<{ attempt: number }>(
      "select (data->>'attempt')::integer as attempt from jobs.job where name = 'send-alert' and data->>'alert_id' = $1 order by 1",
      [String(id)],
    );
  mailAndSms.answers.smtp = 451;
  for (const attempt of [1, 2, 3, 4, 5]) await run(attempt);
  mailAndSms.answers.smtp = null;
  expect((await planned()).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
  expect((await alertsTo(owner.email)).map(({ state }) => state)).toEqual(["failed"]);
});

test("alerts are deleted after 90 days, sent or not", async () => {
  const purge = (before: string) =>
    app.database.asOwner<{ count: number }>("select purge_security_alerts($1, 1000) as count", [before]).then(([row]) => row?.count);
  expect(await purge("2000-01-01")).toBe(0);
  expect(await purge("2100-01-01")).toBeGreaterThan(0);
  expect(await app.database.asOwner("select from security_alerts")).toEqual([]);
});

test("names in a mail are reduced to one line without a link", () => {
  const facts = {
    name: "Ada\r\nhttps://evil.example",
    device: null,
    address: null,
    at: new Date(0),
    about: "a\nb",
    venue: "x.example",
    by: "pay@evil.example",
    byEmail: "ada@lab.example",
  };
  const { body, subject } = writeAlert("token.created", "en", facts);
  expect(body.split("\n")[0]).toMatch(/^Hello Ada https: evil\. example,$/);
  expect(body).toContain("“a b”");
  expect(body).toContain("pay evil. example (ada@lab.example) created");
  expect(subject).toBe("New API token for x. example");
});
