/** One-time links over HTTP: each works once, expires, and becomes invalid with the password that it was made for. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startWorker } from "#compose/worker.ts";
import { removeStaff } from "#platform/people/memberships/service.ts";
import { consoleCall, createUser, linkFor, PASSWORD, requestedLink } from "../../../../test/support/console-client.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../../../test/support/fake-smtp-and-sms.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { writeLinkMail } from "./rules/texts.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NEW_PASSWORD = "a brand new password";

let app: TestApp;
let lab: TestVenue;
let cafe: TestVenue;
let mailAndSms: FakeMailAndSms;
/** A test sets this to change statements before they are sent. */
let plant: InjectedFault = () => null;
const planted = async <T>(fault: InjectedFault, work: () => Promise<T>): Promise<T> => {
  plant = fault;
  try {
    return await work();
  } finally {
    plant = () => null;
  }
};
const changed =
  (part: string, other: string): InjectedFault =>
  ({ text, ...rest }) =>
    text.includes(part) ? { ...rest, text: text.replace(part, other), name: `planted ${part}`.slice(0, 60) } : null;

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  const ENCRYPTION_KEYS = `test:${randomBytes(32).toString("base64")}`;
  const environment = {
    ENCRYPTION_KEYS,
    SMTP_URL: mailAndSms.smtpUrl,
    PUBLIC_URL: "https://comanda.example",
    TRUSTED_PROXIES: "127.0.0.1",
  };
  app = await startApp({ environment, pool: faultInjectingPool((...statement) => plant(...statement)) });
  lab = await app.venue("lab");
  cafe = await app.venue("gulf-cafe");
});
afterAll(async () => {
  await app.close();
  await mailAndSms.close();
});

/** Every call comes from another address, because limits by address have their own tests. */
let calls = 0;
const post = (path: string, body: object) => consoleCall(app, "POST", path, { body, from: `10.0.${(++calls >> 8) & 255}.${calls & 255}` });
const read = (secret: string | null) => post("/links/read", { secret });
const use = (secret: string | null, password = NEW_PASSWORD) => post("/links/use", { secret, password });
const signInBy = (secret: string | null) => post("/links/sign-in", { secret });
const ask = (path: "/password-reset" | "/sign-in-link", email: string) => post(path, { email });
const resetOf = async (email: string) => {
  expect((await ask("/password-reset", email)).status).toBe(202);
  return requestedLink(app, email);
};
const signInLinkOf = async (email: string) => {
  expect((await ask("/sign-in-link", email)).status).toBe(202);
  return requestedLink(app, email);
};

describe("an invitation", () => {
  test("works once, until it expires; of twenty concurrent uses one succeeds", async () => {
    const secret = await linkFor(app, lab.slug, "link@example.com", "staff");
    expect((await read(secret)).body.data).toMatchObject({ kind: "invitation", email: "link@example.com", has_password: false });
    const answers = await Promise.all(Array.from({ length: 20 }, () => use(secret)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    // On a busy machine some time out while they wait for the lock.
    for (const { status, text } of answers) expect([201, 422, 503], text).toContain(status);
    const late = await linkFor(app, lab.slug, "late@example.com", "staff");
    app.clock.advance(7 * DAY_MS + 1);
    expect((await use(late)).status).toBe(422);
  });

  test("of a user who has a password says so, changes nothing and gives no access until they say yes", async () => {
    const first = await linkFor(app, lab.slug, "twice@example.com", "staff");
    const second = await linkFor(app, cafe.slug, "twice@example.com", "manager");
    expect((await use(first, PASSWORD)).status).toBe(201);
    for (const secret of [first, second])
      expect((await read(secret)).body.data).toMatchObject({ kind: "invitation", email: "twice@example.com", has_password: true });
    const refused = await use(second);
    expect([refused.status, refused.body.error.details]).toEqual([422, { secret: ["You already have a password. Sign in with it."] }]);
    const normal = await consoleCall(app, "POST", "/session", { body: { email: "twice@example.com", password: PASSWORD } });
    const slugsOf = (rows: { slug: string }[]) => rows.map(({ slug }) => slug);
    expect([slugsOf(normal.body.data.venues), slugsOf(normal.body.data.invitations)]).toEqual([[lab.slug], [cafe.slug]]);
  });

  test("becomes invalid with the membership, also when the user is invited again", async () => {
    const secret = await linkFor(app, lab.slug, "gone@example.com", "owner");
    await forVenue(app.deps, lab.slug, (ctx) => removeStaff(ctx, "gone@example.com"));
    expect([(await read(secret)).status, (await use(secret)).status]).toEqual([422, 422]);
    const again = await linkFor(app, lab.slug, "gone@example.com", "staff");
    expect((await use(secret)).status).toBe(422);
    expect((await use(again)).status).toBe(201);
  });
});

describe("a reset", () => {
  test("gives the same answer and does the same queries for every address; only members get a mail", async () => {
    const person = await createUser(app, lab.slug, "owner", "forgot@example.com");
    const traceOf = async (email: string) => {
      const statements: string[] = [];
      const { text, status } = await planted(
        (statement) => {
          statements.push(statement.text);
          return null;
        },
        () => ask("/password-reset", email),
      );
      return { text, status, statements };
    };
    const [known, unknown] = [await traceOf(person.email), await traceOf("unknown@example.com")];
    expect(known).toEqual(unknown);
    expect(known.statements.length).toBeGreaterThan(3);
    expect(await app.database.asOwner("select from one_time_links where email = 'forgot@example.com' and kind = 'reset'")).toEqual([]);
    mailAndSms.reset();
    const worker = await startWorker(app.deps);
    const mailed = () => mailAndSms.mails.filter(({ body, to }) => body.includes("/console/link#") && to[0] === person.email);
    while (mailed().length === 0) await sleep(50);
    while ((await app.database.asOwner("select from link_requests")).length > 0) await sleep(50);
    await worker.stop();
    expect(mailed()).toHaveLength(1);
    expect(mailAndSms.mails.filter(({ to }) => to.includes("unknown@example.com"))).toEqual([]);
    // A user with a password is not asked to choose one. The mail is in the venue's language.
    const added = mailAndSms.mails.filter(({ to, body }) => to.includes("twice@example.com") && body.includes("/console/link#"));
    expect(added.map(({ body }) => body.includes("بكلمة مروركم"))).toEqual([true]);
    const secret = /https:\/\/comanda\.example\/console\/link#([0-9A-Za-z]{43})/.exec(mailed()[0]?.body ?? "")?.[1] ?? "";
    expect(await tablesWith(secret)).toEqual([]);
    const used = await use(secret);
    expect(used.status, used.text).toBe(201);
    expect((await person.call("GET", "/session")).status).toBe(401);
  });

  test("is mailed at most once in three minutes; the newest link works, the previous one does not", async () => {
    const { email } = await createUser(app, lab.slug, "owner", "often@example.com");
    const first = await resetOf(email);
    expect(first).not.toBeNull();
    app.clock.advance(2 * MINUTE_MS);
    expect(await resetOf(email)).toBeNull();
    expect((await read(first)).status).toBe(200);
    app.clock.advance(2 * MINUTE_MS);
    const second = await resetOf(email);
    expect((await use(first)).status).toBe(422);
    expect((await use(second)).status).toBe(201);
  });

  test("after five in a day the next is sent when the last has expired, and the last works until then", async () => {
    const { email } = await createUser(app, lab.slug, "owner", "pumped@example.com");
    const sent: string[] = [];
    for (let minute = 0; minute < 60; minute += 4) {
      sent.push(...[await signInLinkOf(email)].filter((secret) => secret !== null));
      expect((await read(sent.at(-1) ?? "")).status).toBe(200);
      app.clock.advance(4 * MINUTE_MS);
    }
    // Five in the first twenty minutes, then one every sixteen minutes.
    expect(sent).toHaveLength(7);
  });

  test("becomes invalid with a change of the password, and its use ends every device", async () => {
    const person = await createUser(app, lab.slug, "owner", "changes@example.com");
    const [reset, signIn] = [await resetOf(person.email), await signInLinkOf(person.email)];
    const changed = await person.call("PUT", "/password", { body: { current: PASSWORD, password: NEW_PASSWORD }, devices: person.devices });
    expect(changed.status, changed.text).toBe(200);
    expect([(await use(reset)).status, (await signInBy(signIn)).status, (await read(reset)).status]).toEqual([422, 422, 422]);
    const devices = () =>
      app.database.asOwner("select from known_devices d join users p on p.id = d.user_id where p.email = $1", [person.email]);
    expect(await devices()).toHaveLength(1);
    app.clock.advance(4 * MINUTE_MS);
    const used = await use(await resetOf(person.email), PASSWORD);
    expect(used.status).toBe(201);
    expect(used.devices).not.toBe(person.devices);
    expect(await devices()).toHaveLength(1);
  });
});

describe("planted fault", () => {
  test("without the password version an old reset link still works", async () => {
    const person = await createUser(app, lab.slug, "owner", "uncounted@example.com");
    const secret = await resetOf(person.email);
    await planted(changed("password_version = password_version + 1", "password_version = password_version"), () =>
      person.call("PUT", "/password", { body: { current: PASSWORD, password: NEW_PASSWORD } }),
    );
    expect((await use(secret)).status).toBe(201);
  });

  test("without ending earlier links the previous link still works", async () => {
    const { email } = await createUser(app, lab.slug, "owner", "unended@example.com");
    const first = await resetOf(email);
    app.clock.advance(4 * MINUTE_MS);
    const second = await planted(changed("where email = $2 and kind = $3", "where false and email = $2 and kind = $3"), () =>
      resetOf(email),
    );
    expect([(await read(first)).status, (await read(second)).status]).toEqual([200, 200]);
  });
});

describe("a sign-in link", () => {
  test("signs in once, within fifteen minutes, and sets no password", async () => {
    const person = await createUser(app, lab.slug, "owner", "link-in@example.com");
    const secret = await signInLinkOf(person.email);
    expect((await read(secret)).body.data).toMatchObject({ kind: "sign_in", email: person.email });
    expect((await use(secret)).status).toBe(422);
    const used = await signInBy(secret);
    expect([used.status, used.devices?.length]).toEqual([201, 43]);
    expect((await signInBy(secret)).status).toBe(422);
    expect((await consoleCall(app, "POST", "/session", { body: { email: person.email, password: PASSWORD } })).status).toBe(201);
    const token = { cookie: used.cookie, body: { name: "till", scopes: ["menu:read"] } };
    expect((await consoleCall(app, "POST", `/venues/${lab.slug}/tokens`, token)).body.error.code).toBe("password_required");
    app.clock.advance(4 * MINUTE_MS);
    const late = await signInLinkOf(person.email);
    app.clock.advance(15 * MINUTE_MS);
    expect((await signInBy(late)).status).toBe(422);
  });
});

const tablesWith = async (secret: string): Promise<string[]> => {
  const tables = await app.database.asOwner<{ name: string }>(
    "select schemaname || '.' || tablename as name from pg_tables where schemaname in ('app', 'jobs')",
  );
  const found = [];
  for (const { name } of tables)
    if ((await app.database.asOwner(`select 1 from ${name} t where t::text like '%' || $1 || '%'`, [secret])).length > 0) found.push(name);
  expect(tables.length).toBeGreaterThan(30);
  return found;
};

test.each(["invitation", "known"] as const)("the venue's name in a mail is reduced to one line without a link: %s", (kind) => {
  const url = "https://comanda.example/console/link";
  const { subject, body } = writeLinkMail(kind, "en", { url, venue: "Lab\r\n\r\nPay here: https://evil.example/pay" });
  expect(subject).not.toMatch(/[\r\n]/);
  expect(`${subject} ${body}`.replace(url, "")).not.toMatch(/https?:\/\/|evil\.example|\r/);
  expect(body).toContain("Lab Pay here");
});
