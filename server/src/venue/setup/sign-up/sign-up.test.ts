/** A venue opened in the browser: links work once, nothing reveals accounts, and a venue that is not live takes no orders from outside. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withoutVenue } from "#admin/command-context.ts";
import { checkSignUpPlan } from "#compose/sign-up-plan.ts";
import { startWorker } from "#compose/worker.ts";
import { readConfig } from "#config.ts";
import { changePlanState } from "#platform/tenants/service.ts";
import { consoleCall, createUser, PASSWORD } from "../../../../test/support/console-client.ts";
import { type FakeMailAndSms, startFakeMailAndSms } from "../../../../test/support/fake-smtp-and-sms.ts";
import { faultInjectingPool, type InjectedFault } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { slugOf } from "./rules/slug.ts";
import { inviteToSignUp, prepareSignUpMail } from "./service/links.ts";

const DAY_MS = 24 * 60 * 60_000;

let app: TestApp;
let lab: TestVenue;
let mailAndSms: FakeMailAndSms;
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
    text.includes(part) ? { ...rest, text: text.replace(part, other), name: `planted ${text}`.slice(0, 60) } : null;

beforeAll(async () => {
  mailAndSms = await startFakeMailAndSms();
  const environment = {
    SMTP_URL: mailAndSms.smtpUrl,
    PUBLIC_URL: "https://comanda.example",
    TRUSTED_PROXIES: "127.0.0.1",
    SIGN_UP: "open",
    SIGN_UP_PLAN: "essential",
  };
  app = await startApp({ environment, pool: faultInjectingPool((...statement) => plant(...statement)) });
  lab = await app.venue("lab");
});
afterAll(async () => {
  await app.close();
  await mailAndSms.close();
});

/** Every call comes from another address, because limits by address have their own test. */
let calls = 0;
const post = (path: string, body: object, cookie: string | null = null) =>
  consoleCall(app, "POST", path, { body, cookie, from: `10.1.${(++calls >> 8) & 255}.${calls & 255}` });

const FIRST = {
  name: "Chez Zoë",
  currency: "KWD",
  zone: "Asia/Kuwait",
  language: "ar",
  hours: { from: "11:00", to: "01:00", closed: ["fri"] },
  menu: [{ name: { ar: "أطباق", en: "Dishes" }, dishes: [{ name: { ar: "حساء", en: "Soup" }, price_minor: 1250 }] }],
};

const invite = async (email: string, plan: string | null = null): Promise<string> => {
  const invitation = { email, plan, locale: null, days: 7 };
  return (await withoutVenue(app.deps, (ctx) => inviteToSignUp(ctx, invitation, false))).secret ?? "";
};
const open = (secret: string, venue: object = FIRST) =>
  post("/sign-up/venue", { secret, person_name: "Zoë", password: PASSWORD, locale: "en", venue });
const openNew = async (email: string, name: string): Promise<{ slug: string; cookie: string }> => {
  const answer = await open(await invite(email), { ...FIRST, name });
  expect(answer.status, answer.text).toBe(201);
  return { slug: answer.body.data.slug, cookie: answer.cookie ?? "" };
};
const venuesOf = (email: string) =>
  app.database.asOwner<{ slug: string }>("select r.slug from staff s join restaurants r on r.id = s.restaurant_id where s.email = $1", [
    email,
  ]);
/** What the worker would do with the newest request of the address. */
const askedLink = async (email: string): Promise<string | null> => {
  const [row] = await app.database.asOwner<{ id: string }>(
    "select id from sign_ups where email = $1 and used_at is null order by id desc limit 1",
    [email],
  );
  return row ? ((await withoutVenue(app.deps, (ctx) => prepareSignUpMail(ctx, Number(row.id))))?.secret ?? null) : null;
};

describe("a link", () => {
  test("makes account, venue, hours, dishes and session in one commit; the venue is not live", async () => {
    const secret = await invite("zoe@example.com");
    expect((await post("/sign-up/link", { secret })).body.data).toEqual({ email: "zoe@example.com", has_account: false });
    const opened = await open(secret);
    expect([opened.status, opened.body.data.slug]).toEqual([201, "chez-zoe"]);
    expect(opened.body.data.session).toMatchObject({
      person: { email: "zoe@example.com", name: "Zoë", locale: "en" },
      venues: [{ slug: "chez-zoe", role: "owner", is_opening: true, name: { ar: "Chez Zoë" } }],
    });
    const [row] = await app.database.asOwner(
      `select r.currency, r.zone, r.plan, r.suspended_at = o.opened_at as is_suspended, b.hours from restaurants r
       join venue_openings o on o.restaurant_id = r.id join branches b on b.restaurant_id = r.id where r.slug = 'chez-zoe'`,
    );
    const days = ["mon", "tue", "wed", "thu", "sat", "sun"];
    expect(row).toEqual({
      currency: "KWD",
      zone: "Asia/Kuwait",
      plan: "essential",
      is_suspended: true,
      hours: [{ days, from: "11:00", to: "01:00" }],
    });
    const read = await consoleCall(app, "GET", "/venues/chez-zoe/opening", { cookie: opened.cookie });
    expect(read.body.data).toEqual({ is_live: false, is_suspended: false, test_order: null });
    expect((await open(secret)).status).toBe(422);
  });

  test("makes no venue with the name of this platform, also in letters that look like it; the link still works", async () => {
    const secret = await invite("twin@example.com");
    for (const name of ["Comanda", "Соmаndа", "Comanda Support"]) {
      const { status, body } = await open(secret, { ...FIRST, name });
      expect([status, body.error?.code, Object.keys(body.error?.details ?? {})], name).toEqual([422, "validation_failed", ["venue.name"]]);
    }
    expect((await open(secret, { ...FIRST, name: "La Comanda" })).status).toBe(201);
  });

  test("of two uses at once one makes a venue", async () => {
    const secret = await invite("race@example.com");
    const answers = await Promise.all(Array.from({ length: 6 }, () => open(secret)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const { status, text } of answers) expect([201, 422, 503], text).toContain(status);
    expect(await venuesOf("race@example.com")).toHaveLength(1);
  });

  test("planted: where the use is not compared, one link makes two venues", async () => {
    const secret = await invite("planted@example.com");
    const { cookie } = await createUser(app, lab.slug, "staff", "planted@example.com");
    const next = async () => (await post("/person/venues", { secret, venue: FIRST }, cookie)).status;
    const fault = changed("and used_at is null and expires_at", "and expires_at");
    expect(await planted(fault, async () => [await next(), await next()])).toEqual([201, 201]);
    expect(await next()).toBe(422);
  });

  test("expires, and a new invitation ends the earlier one", async () => {
    const [first, second] = [await invite("late@example.com"), await invite("late@example.com")];
    expect((await open(first)).status).toBe(422);
    app.clock.advance(7 * DAY_MS + 1);
    expect((await open(second)).status).toBe(422);
    expect(await venuesOf("late@example.com")).toEqual([]);
  });

  test("a fault in the middle leaves neither account nor venue, and the link still works", async () => {
    const secret = await invite("half@example.com");
    const broken = await planted(changed("insert into venue_openings", "insert into no_such_table"), () => open(secret));
    expect(broken.status).toBe(500);
    expect(await venuesOf("half@example.com")).toEqual([]);
    expect(await app.database.asOwner("select from users where email = 'half@example.com'")).toEqual([]);
    expect((await open(secret)).status).toBe(201);
  });

  test("names the plan of its venue", async () => {
    const opened = await open(await invite("plan@example.com", "complete"), { ...FIRST, name: "Planned" });
    expect(opened.status).toBe(201);
    expect(await app.database.asOwner("select plan from restaurants where slug = 'planned'")).toEqual([{ plan: "complete" }]);
  });
});

describe("a person with an account", () => {
  test("opens another venue when signed in; an invitation to another address is refused", async () => {
    const person = await createUser(app, lab.slug, "staff", "second@example.com");
    const next = await post("/person/venues", { venue: { ...FIRST, name: "Second" } }, person.cookie);
    expect([next.status, next.body.data]).toEqual([201, { slug: "second" }]);
    const secret = await invite("third@example.com");
    const stolen = await post("/person/venues", { secret, venue: { ...FIRST, name: "Stolen" } }, person.cookie);
    expect([stolen.status, stolen.body.error.details]).toEqual([422, { secret: ["This invitation is for another address."] }]);
    expect((await post("/sign-up/link", { secret })).status).toBe(200);
  });

  test("keeps the password: a link does not replace it", async () => {
    await createUser(app, lab.slug, "staff", "keeps@example.com");
    const secret = await invite("keeps@example.com");
    expect((await post("/sign-up/link", { secret })).body.data.has_account).toBe(true);
    const refused = await post("/sign-up/venue", { secret, person_name: "Eve", password: "another password", venue: FIRST });
    expect(refused.status).toBe(422);
    expect((await post("/session", { email: "keeps@example.com", password: PASSWORD })).status).toBe(201);
  });
});

describe("asking for a link", () => {
  test("gives the same answer and does the same queries for every address; the mail says which it is", async () => {
    await createUser(app, lab.slug, "staff", "known@example.com");
    const traceOf = async (email: string) => {
      const statements: string[] = [];
      const { text, status } = await planted(
        (statement) => {
          statements.push(statement.text);
          return null;
        },
        () => post("/sign-up", { email }),
      );
      return { text, status, statements };
    };
    const [known, unknown] = [await traceOf("known@example.com"), await traceOf("unknown@example.com")];
    expect(known).toEqual(unknown);
    expect([known.status, known.statements.length > 2]).toEqual([202, true]);
    mailAndSms.reset();
    const worker = await startWorker(app.deps);
    const mailTo = (email: string) => mailAndSms.mails.find(({ to }) => to.includes(email))?.body;
    while (!mailTo("known@example.com") || !mailTo("unknown@example.com")) await sleep(50);
    await worker.stop();
    expect(mailTo("known@example.com")).toContain("https://comanda.example/console/sign-up\n");
    expect(mailTo("unknown@example.com")).toMatch(/\/console\/sign-up#[0-9A-Za-z]{43}/);
  });

  test("nothing is made before the link is used; the newest link works", async () => {
    expect((await post("/sign-up", { email: "New@Example.com" })).status).toBe(202);
    const earlier = await askedLink("new@example.com");
    app.clock.advance(2 * 60_000);
    expect((await post("/sign-up", { email: "new@example.com" })).status).toBe(202);
    const secret = await askedLink("new@example.com");
    expect(await app.database.asOwner("select from users where email = 'new@example.com'")).toEqual([]);
    expect((await open(earlier ?? "", { ...FIRST, name: "Earlier" })).status).toBe(422);
    expect((await open(secret ?? "", { ...FIRST, name: "Newest" })).status).toBe(201);
  });

  test("is counted by network address", async () => {
    const from = (host: number) => ({ from: `2001:db8:1:2::${host.toString(16)}` });
    const ofHost = await Promise.all(
      Array.from({ length: 40 }, (_, n) => consoleCall(app, "POST", "/sign-up", { body: { email: `h${n}@example.com` }, ...from(n) })),
    );
    expect(ofHost.filter(({ status }) => status === 202)).toHaveLength(30);
    expect(ofHost.find(({ status }) => status === 429)?.headers["retry-after"]).toBeDefined();
  });
});

describe("slugs", () => {
  test("are made from the name, with a number where it is taken", async () => {
    expect(["Trattoria da Nino", "Chez Zoë & Søn", "L'Osteria", "مطعم", "X", "a".repeat(80)].map(slugOf)).toEqual([
      "trattoria-da-nino",
      "chez-zoe-son",
      "losteria",
      "venue",
      "venue",
      "a".repeat(48),
    ]);
    const [first, second] = [await openNew("s1@example.com", "Same"), await openNew("s2@example.com", "Same")];
    expect([first.slug, second.slug]).toEqual(["same", "same-2"]);
  });

  test("of venues of one name that are opened at once are all different", async () => {
    const secrets = await Promise.all(Array.from({ length: 4 }, (_, n) => invite(`twin${n}@example.com`)));
    const answers = await Promise.all(secrets.map((secret) => open(secret, { ...FIRST, name: "Twin" })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.slug)).size).toBe(4);
  });
});

describe("a venue that is not live", () => {
  const order = async (slug: string, token: string) => {
    const { data } = (await app.call(token, "GET", "/items")).body;
    const guest = { type: "pickup", customer_name: "Ada", customer_phone: "+1 555 0100" };
    expect(slug).not.toBe("");
    return app.call(token, "POST", "/orders", { body: { ...guest, lines: [{ item_id: data[0].id, quantity: 1 }] } });
  };

  test("refuses orders from outside, and takes them once its owner goes live", async () => {
    const { slug, cookie } = await openNew("live@example.com", "Going Live");
    const token = await app.token(slug);
    expect((await order(slug, token)).body.error.code).toBe("restaurant_suspended");
    const live = await post(`/venues/${slug}/opening/live`, {}, cookie);
    expect([live.status, live.body.data.is_live]).toEqual([200, true]);
    expect((await order(slug, token)).status).toBe(201);
    expect((await post(`/venues/${slug}/opening/live`, {}, cookie)).status).toBe(200);
    const late = await post(`/venues/${slug}/opening/test-order`, {}, cookie);
    expect([late.status, late.body.error.code]).toEqual([409, "state_changed"]);
  });

  test("its test order is one, at any hour, on the board, and in no report; going live cancels it", async () => {
    // A Friday, when this venue is closed.
    app.clock.set("2027-01-15T03:00:00Z");
    const { slug, cookie } = await openNew("test@example.com", "Tested");
    const place = () => post(`/venues/${slug}/opening/test-order`, {}, cookie);
    const answers = await Promise.all([place(), place(), place()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.data.test_order.id)).size).toBe(1);
    const board = await consoleCall(app, "GET", `/venues/${slug}/board`, { cookie });
    expect(board.text).toContain("طلب تجريبي");
    const counted = () =>
      app.database.asOwner(
        "select orders, revenue_minor from daily_sales d join restaurants r on r.id = d.restaurant_id where r.slug = $1",
        [slug],
      );
    expect(await counted()).toEqual([]);
    const id = answers[0]?.body.data.test_order.id;
    const accepted = await post(`/venues/${slug}/orders/${id}/status`, { seen_status: "placed", status: "accepted" }, cookie);
    expect(accepted.status, accepted.text).toBe(200);
    const live = await post(`/venues/${slug}/opening/live`, {}, cookie);
    expect(live.body.data).toEqual({ is_live: true, is_suspended: false, test_order: { id, status: "cancelled" } });
    expect(await counted()).toEqual([]);
    expect(
      await app.database.asOwner("select from guests g join restaurants r on r.id = g.restaurant_id where r.slug = $1", [slug]),
    ).toEqual([]);
  });

  test("the operator's suspension is not lifted by going live", async () => {
    const { slug, cookie } = await openNew("held@example.com", "Held Back");
    app.clock.advance(1000);
    await forVenue(app.deps, slug, (ctx) => changePlanState(ctx, { suspended_at: ctx.now }), { revokes: true });
    const refused = await post(`/venues/${slug}/opening/live`, {}, cookie);
    expect([refused.status, refused.body.error.code]).toEqual([403, "restaurant_suspended"]);
    const read = await consoleCall(app, "GET", `/venues/${slug}/opening`, { cookie });
    expect(read.body.data).toMatchObject({ is_live: false, is_suspended: true });
  });

  test("is its owner's alone: others cannot see it, place its test order or take it live", async () => {
    const [mine, other] = [await openNew("mine@example.com", "Mine"), await openNew("other@example.com", "Other")];
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/test-order"],
      ["POST", "/live"],
    ] as const) {
      const answer = await consoleCall(app, method, `/venues/${mine.slug}/opening${path}`, {
        cookie: other.cookie,
        ...(method === "POST" ? { body: {} } : {}),
      });
      expect(answer.status).toBe(404);
    }
    const manager = await createUser(app, mine.slug, "manager", "manager@example.com");
    expect((await post(`/venues/${mine.slug}/opening/live`, {}, manager.cookie)).status).toBe(403);
  });

  test("a venue that was made by its file is live", async () => {
    const owner = await createUser(app, lab.slug, "owner", "lab-owner@example.com");
    const read = await consoleCall(app, "GET", `/venues/${lab.slug}/opening`, { cookie: owner.cookie });
    expect(read.body.data).toEqual({ is_live: true, is_suspended: false, test_order: null });
    expect((await post(`/venues/${lab.slug}/opening/live`, {}, owner.cookie)).body.data.is_live).toBe(true);
  });
});

test("what a venue file would refuse is refused before anything is written", async () => {
  const secret = await invite("bad@example.com");
  const errorsOf = async (change: object) => (await open(secret, { ...FIRST, ...change })).body.error.details;
  expect(await errorsOf({ zone: "Mars/Olympus" })).toEqual({ "venue.zone": ["Is not a known time zone."] });
  expect(await errorsOf({ currency: "ZZZ" })).toEqual({ "venue.currency": ["Is not a known currency."] });
  expect(await errorsOf({ menu: [] })).toHaveProperty("venue.menu");
  expect(await venuesOf("bad@example.com")).toEqual([]);
  expect((await open(secret)).status).toBe(201);
});

describe("the settings", () => {
  test("by invitation: a link cannot be asked for, and a person with an account needs an invitation", async () => {
    const closed = await startApp({ environment: { SIGN_UP: "invite" } });
    try {
      const venue = await closed.venue("lab");
      expect((await consoleCall(closed, "GET", "/sign-up")).body.data).toEqual({ is_open: false });
      expect((await consoleCall(closed, "POST", "/sign-up", { body: { email: "a@example.com" } })).status).toBe(404);
      const person = await createUser(closed, venue.slug, "owner");
      const refused = await person.call("POST", "/person/venues", { body: { venue: FIRST } });
      expect([refused.status, refused.body.error.details]).toEqual([422, { secret: ["You need an invitation to open a venue."] }]);
    } finally {
      await closed.close();
    }
  });

  test("the start is refused without a plan for anyone's venue, and with a plan that does not exist", async () => {
    const environment = { DATABASE_URL: app.database.appUrl, SIGN_UP: "open" };
    expect(() => readConfig(environment)).toThrow("SIGN_UP_PLAN is missing");
    const config = readConfig({ ...environment, SIGN_UP_PLAN: "golden" });
    await expect(checkSignUpPlan({ pool: app.deps.pool, config })).rejects.toThrow(
      'SIGN_UP_PLAN cannot be used. There is no plan "golden". The plans are: ',
    );
    await checkSignUpPlan(app.deps);
  });
});
