/** People who ask for sign-up links: no one can bar another's mail address, fill a mailbox, or make the service send mails without an end. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { withoutVenue } from "../../src/admin/command-context.ts";
import { prepareSignUpMail } from "../../src/venue/setup/sign-up/service/links.ts";
import { consoleCall } from "../support/console-client.ts";
import { faultInjectingPool, type InjectedFault } from "../support/fault-injection.ts";
import { FIRST_VENUE } from "../support/opened-venue.ts";
import { startApp, type TestApp } from "../support/test-app.ts";

const PER_HOUR = 20;
const MINUTE_MS = 60_000;

let app: TestApp;
let plant: InjectedFault = () => null;
const planted = async <T>(part: string, other: string, work: () => Promise<T>): Promise<T> => {
  plant = ({ text, ...rest }) => (text.includes(part) ? { ...rest, text: text.replace(part, other), name: `planted ${other}` } : null);
  try {
    return await work();
  } finally {
    plant = () => null;
  }
};

beforeAll(async () => {
  const environment = {
    SIGN_UP: "open",
    SIGN_UP_PLAN: "complete",
    SIGN_UP_MAILS_PER_HOUR_MAX: String(PER_HOUR),
    TRUSTED_PROXIES: "127.0.0.1",
  };
  app = await startApp({ environment, pool: faultInjectingPool((...statement) => plant(...statement)) });
});
afterAll(() => app.close());
let round = 0;
beforeEach(async () => {
  round += 1;
  app.clock.set(new Date(Date.UTC(2027, 0, 10 + 2 * round)).toISOString());
});

/** Each request comes from another network, unless one is given. */
let calls = 0;
const ask = (email: string, from = `10.${(++calls >> 8) & 255}.${calls & 255}.1`) =>
  consoleCall(app, "POST", "/sign-up", { body: { email }, from });
const statusesOf = async (emails: readonly string[], pauseMs = 0): Promise<number[]> => {
  const statuses: number[] = [];
  for (const email of emails) {
    statuses.push((await ask(email)).status);
    app.clock.advance(pauseMs);
  }
  return statuses;
};
const mailsTo = async (pattern: string): Promise<number> =>
  (await app.database.asOwner<{ count: number }>("select count(*)::integer as count from sign_ups where email like $1", [pattern]))[0]
    ?.count ?? 0;
const newestLink = async (email: string): Promise<string> => {
  const [row] = await app.database.asOwner<{ id: string }>(
    "select id from sign_ups where email = $1 and used_at is null order by id desc limit 1",
    [email],
  );
  return (row && (await withoutVenue(app.deps, (ctx) => prepareSignUpMail(ctx, Number(row.id))))?.secret) ?? "";
};
const countOf = async (outcome: string): Promise<number> => {
  const text = await app.deps.metrics.registry.metrics();
  return Number(new RegExp(`comanda_sign_up_requests_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
};

test("a mail address that others asked for too often gets the same answer, no mail, and its newest link still opens a venue", async () => {
  const email = "victim@example.com";
  const before = await countOf("mailbox");
  const answers = [];
  for (let count = 0; count < 9; count++) {
    answers.push(await ask(email));
    app.clock.advance(2 * MINUTE_MS);
  }
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(['202 {"data":{}}']));
  expect([await mailsTo(email), (await countOf("mailbox")) - before]).toEqual([5, 4]);
  const secret = await newestLink(email);
  const body = { secret, person_name: "Zoë", password: "correct horse battery", venue: { ...FIRST_VENUE, name: "Not Barred" } };
  expect((await consoleCall(app, "POST", "/sign-up/venue", { body, from: "192.0.2.1" })).status).toBe(201);
});

test("variants of an address are one mailbox, one after another and at once", async () => {
  // A mail server finds the domain whatever the width of its letters, and without those that show nothing.
  const domains = ["example.com", "EXAMPLE.com", "ｅxample.com", "ex\u00adample.com"];
  const variants = Array.from({ length: 12 }, (_, n) => `${n % 3 ? `Pumped+${n}` : "pumped"}@${domains[n % domains.length]}`);
  expect(new Set(await statusesOf(variants, 2 * MINUTE_MS))).toEqual(new Set([202]));
  expect(await mailsTo("pumped%")).toBe(5);
  await Promise.all(variants.map((email) => ask(email.replace(/pumped/i, "atonce"))));
  expect(await mailsTo("atonce%")).toBe(1);
});

test("planted: counted by address variants fill a mailbox, and without the lock so do those that ask at once", async () => {
  await planted("where mailbox = $1", "where email = $1", () =>
    statusesOf(
      Array.from({ length: 8 }, (_, n) => `one+${n}@example.com`),
      2 * MINUTE_MS,
    ),
  );
  expect(await mailsTo("one+%")).toBe(8);
  await planted("pg_advisory_xact_lock(hashtextextended($1, 0))", "length($1)", () =>
    Promise.all(Array.from({ length: 10 }, (_, n) => ask(`two+${n}@example.com`))),
  );
  expect(await mailsTo("two+%")).toBeGreaterThan(1);
});

test("a source above its limit is refused before the mail address is looked at", async () => {
  const statuses: number[] = [];
  for (let count = 0; count < 31; count++) statuses.push((await ask("source@example.com", "198.51.100.7")).status);
  expect([statuses.slice(0, 30).every((status) => status === 202), statuses.at(-1)]).toEqual([true, 429]);
  expect((await ask("source@example.com", "198.51.101.7")).status).toBe(202);
  expect(await mailsTo("source@example.com")).toBe(1);
});

test("all together get so many mails an hour, then 503 with Retry-After; the next hour has its own", async () => {
  const emails = Array.from({ length: PER_HOUR + 5 }, (_, n) => `many-${n}@example.com`);
  const before = await countOf("hour");
  const statuses = await statusesOf(emails, 1000);
  expect([statuses.filter((status) => status === 202).length, statuses.filter((status) => status === 503).length]).toEqual([PER_HOUR, 5]);
  const refused = await ask("late@example.com");
  expect([refused.status, refused.headers["retry-after"], await mailsTo("many-%")]).toEqual([503, "300", PER_HOUR]);
  expect((await countOf("hour")) - before).toBe(6);
  await planted("count from sign_ups where source = 'asked' and", "count from sign_ups where false and", async () =>
    expect((await ask("planted@example.com")).status).toBe(202),
  );
  app.clock.advance(60 * MINUTE_MS);
  expect((await ask("late@example.com")).status).toBe(202);
});
