/** What is sold stays: no removal beside a sale, no removal before refunds, the branch and the zone of a venue change, and unsold rows are deleted. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ExperienceDesk, ExperienceSession } from "@comanda/contract/console/experiences.ts";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { importVenue } from "#compose/import-venue.ts";
import { consoleCall, createUser, type TestUser } from "../../../../test/support/console-client.ts";
import { type ExperienceTools, experienceTools } from "../../../../test/support/experiences.ts";
import { faultInjectingPool } from "../../../../test/support/fault-injection.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../../../../test/support/test-app.ts";
import { purgeExpired } from "../../../compose/retention.ts";
import { collectVenueFile } from "../../setup/venue-file/service.ts";
import { bookTickets } from "./service/tickets.ts";
import { lockSession } from "./store/sessions.ts";

const NOW = "2026-11-14T12:00:00Z";
const DAY_MS = 86_400_000;

let app: TestApp;
let lab: TestVenue;
let owner: TestUser;
let tools: ExperienceTools;

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  lab = await app.venue("lab");
  owner = await createUser(app, lab.slug, "owner", "olga@lab.example");
  tools = experienceTools(app, lab, owner);
});
afterAll(() => app.close());
beforeEach(() => app.clock.set(NOW));

/** Without this lock, what is about to be removed is counted while tickets of it are being sold. */
const withoutSessionLocks = faultInjectingPool(({ text, ...rest }) =>
  / from experience_sessions\b.* order by id for update$/s.test(text) ? { ...rest, text: text.replace(/ for update$/, "") } : null,
);
const withFaultyApp = async (work: (faulty: TestApp) => Promise<void>): Promise<void> => {
  const faulty = await startApp({ database: app.database, pool: withoutSessionLocks, environment: { CONSOLE_RATE_PER_MINUTE: "60000" } });
  try {
    await work(faulty);
  } finally {
    await faulty.close();
  }
};

/** Counts in this database: tests of other files share the server. */
const countWaiting = async (): Promise<number> =>
  (
    await app.database.asOwner(
      "select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()",
    )
  ).length;

/** `second` begins while a ticket is sold and not committed. The commit waits until `second` waits for it, or has ended. */
const besideSale = async <T>(session: ExperienceSession, second: () => Promise<T>): Promise<T> => {
  let begun: Promise<T> | undefined;
  await forVenue(app.deps, lab.slug, async (ctx) => {
    await bookTickets(ctx, session.id, () => ({ tickets: 1, name: "Ada", phone: null, email: null }));
    let isOver = false;
    begun ??= second().finally(() => {
      isOver = true;
    });
    begun.catch(() => undefined);
    while (!isOver && (await countWaiting()) === 0) await sleep(5);
  });
  return begun as Promise<T>;
};

/** Tickets that are held or sold for an experience that is gone, or was in a branch that is gone. */
const lostTickets = (sessionId: number) =>
  app.database.asOwner(
    `select b.id from experience_bookings b join experience_sessions s on s.restaurant_id = b.restaurant_id and s.id = b.session_id
       join experiences e on e.restaurant_id = s.restaurant_id and e.id = s.experience_id
       join branches p on p.restaurant_id = e.restaurant_id and p.id = e.branch_id
     where b.session_id = $1 and b.counted is not null and (e.deleted_at is not null or p.deleted_at is not null or s.cancelled_at is not null)`,
    [sessionId],
  );

const fileWithout = async (session: ExperienceSession): Promise<VenueFile> => {
  const [row] = await app.database.asOwner<{ key: string }>("select key from experiences where id = $1", [session.experience_id]);
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  return { ...file, experiences: file.experiences.filter(({ key }) => key !== row?.key) };
};

test("an import beside a sale waits for it and is refused, by the operator and by an owner: no ticket is lost", async () => {
  const session = await tools.session(4);
  const file = await fileWithout(session);
  await expect(besideSale(session, () => importVenue(app.deps, file))).rejects.toThrow(
    /removed\.experiences\..*tickets of 1 party to come\./,
  );
  expect(await lostTickets(session.id)).toEqual([]);
  const other = await tools.session(4);
  const { version } = await tools.done("GET", "/venue-file");
  const text = JSON.stringify(await fileWithout(other));
  const refused = await besideSale(other, () => tools.send("PUT", "/venue-file", { seen_version: version, text }));
  expect([refused.status, Object.values(refused.body.error.details)]).toEqual([422, [["It has tickets of 1 party to come."]]]);
  expect(await lostTickets(other.id)).toEqual([]);
});

test("planted: without the lock on the sessions the same check finds a ticket that an import lost", async () => {
  const session = await tools.session(4);
  const file = await fileWithout(session);
  await withFaultyApp(async (faulty) => {
    await besideSale(session, () => importVenue(faulty.deps, file));
  });
  expect(await lostTickets(session.id)).toHaveLength(1);
});

/** A sale that has locked its session, and writes its entry of the log after an import has begun to wait for the session. */
const importBesideLock = async (importing: TestApp): Promise<string> => {
  const session = await tools.session(4);
  const file = await fileWithout(session);
  let imported: Promise<string> | undefined;
  await forVenue(app.deps, lab.slug, async (ctx) => {
    await lockSession(ctx, session.id);
    imported ??= importVenue(importing.deps, file).then(
      () => "imported",
      (error: Error) => error.message,
    );
    await expect.poll(countWaiting).toBeGreaterThan(0);
    await bookTickets(ctx, session.id, () => ({ tickets: 1, name: "Ada", phone: null, email: null }));
  }).catch(() => undefined);
  return imported ?? "";
};

const countDeadlocks = async (): Promise<number> => {
  const [row] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  return Number(row?.deadlocks);
};

test("an import waits for a sale that has not written its entry of the log yet, and the sale does not wait for the import", async () => {
  const before = await countDeadlocks();
  expect(await importBesideLock(app)).toContain("It has tickets of 1 party to come.");
  // A connection reports its counts when it is idle for a moment.
  await sleep(1500);
  expect(await countDeadlocks()).toBe(before);
});

test("planted: an import that locks the restaurant against the entries of the log is found", async () => {
  const before = await countDeadlocks();
  const locking = faultInjectingPool(({ text, ...rest }) =>
    text.startsWith('insert into "restaurants"')
      ? { ...rest, text: text.replace("do update set ", 'do update set "slug" = excluded.slug, ') }
      : null,
  );
  const faulty = await startApp({ database: app.database, pool: locking });
  await importBesideLock(faulty);
  await faulty.close();
  expect(await countDeadlocks()).toBeGreaterThan(before);
});

type SavedBranches = { seen_version: string; branches: object[] };

const branchesWithout = async (key: string): Promise<SavedBranches> => {
  const { branches } = await tools.done("GET", "/settings");
  const kept = branches.value.filter((branch: { key: string }) => branch.key !== key);
  return { seen_version: branches.version, branches: kept.map(({ id: _, ...branch }: { id: number }) => branch) };
};

/** A branch of its own, because one that is removed does not come back. */
const addBranch = async (name: string): Promise<string> => {
  const { seen_version, branches } = await branchesWithout("");
  const added = { key: null, name: { en: name }, is_default: false, address: null, hours: null, closing_days: [] };
  const { value } = await tools.done("PUT", "/settings/branches", { seen_version, branches: [...branches, added] });
  return value.find((branch: { name: { en: string } }) => branch.name.en === name).key;
};

test("the removal of a branch beside a sale waits for it and is refused with the number of parties", async () => {
  const branch = await addBranch("Garden");
  const session = await tools.session(4, { branch });
  const body = await branchesWithout(branch);
  const refused = await besideSale(session, () => tools.send("PUT", "/settings/branches", body));
  expect([refused.status, refused.body.error.details]).toEqual([
    422,
    { [`removed.${branch}`]: ["The branch has tickets of 1 party to come."] },
  ]);
  expect(await lostTickets(session.id)).toEqual([]);
});

test("planted: without the lock on the sessions the same check finds a ticket in a removed branch", async () => {
  const branch = await addBranch("Cellar");
  const session = await tools.session(4, { branch });
  const body = await branchesWithout(branch);
  await withFaultyApp(async (faulty) => {
    const options = { cookie: owner.cookie, body, headers: { "idempotency-key": randomUUID() } };
    const saved = await besideSale(session, () => consoleCall(faulty, "PUT", `/venues/${lab.slug}/settings/branches`, options));
    expect(saved.status, saved.text).toBe(200);
  });
  expect(await lostTickets(session.id)).toHaveLength(1);
});

test("one set of checks: the page of branches, the comparison, an owner's import and the operator's refuse the same removal", async () => {
  const branch = await addBranch("Roof");
  const session = await tools.session(9, { branch });
  for (const name of ["Ada", "Ben"]) await tools.paid(await tools.held(session.id, 1, { name }));
  const sentence = "has tickets of 2 parties to come.";
  const saved = await tools.send("PUT", "/settings/branches", await branchesWithout(branch));
  expect(saved.body.error.details[`removed.${branch}`]).toEqual([`The branch ${sentence}`]);
  const { version, file } = await tools.done("GET", "/venue-file");
  const without = {
    ...file,
    branches: file.branches.filter(({ key }: { key: string }) => key !== branch),
    experiences: file.experiences.map((one: { branch: string }) => (one.branch === branch ? { ...one, branch: "main" } : one)),
  };
  const text = JSON.stringify(without);
  for (const [method, path, more] of [
    ["POST", "/venue-file/comparison", {}],
    ["PUT", "/venue-file", { seen_version: version }],
  ] as const)
    expect((await tools.send(method, path, { text, ...more })).body.error.details[`removed.branches.${branch}`]).toEqual([
      `It ${sentence}`,
    ]);
  const whole = await forVenue(app.deps, lab.slug, collectVenueFile);
  const imported = importVenue(app.deps, { ...whole, branches: without.branches, experiences: without.experiences });
  await expect(imported).rejects.toThrow(`removed.branches.${branch}: It ${sentence}`);
});

test("the operator's import refuses to remove a table with a booking to come, as the console does", async () => {
  const file = await forVenue(app.deps, lab.slug, collectVenueFile);
  const booking = { name: "Ada", phone: "+1 555 0100", party_size: 2, date: "2026-12-01", time: "19:00" };
  expect((await app.call(lab.token, "POST", "/reservations", { body: booking })).status).toBe(201);
  await expect(importVenue(app.deps, { ...file, tables: [], table_combinations: [] })).rejects.toThrow(
    /removed\.tables\.[^:]+: It has 1 booking to come\./,
  );
});

test("an experience whose branch was removed is sold in the default branch: on its page, for its payment, and for what keeps a branch", async () => {
  const branch = await addBranch("Terrace");
  const session = await tools.session(4, { branch });
  await tools.done("PUT", "/settings/branches", await branchesWithout(branch));
  const { branches } = await tools.done("GET", "/settings");
  const main = branches.value.find((one: { is_default: boolean }) => one.is_default);
  expect((await tools.sheet(session.id)).branch).toEqual(main.name);
  const partiesOfMain = async (): Promise<number> => {
    const refused = await tools.send("PUT", "/settings/branches", await branchesWithout(main.key));
    return Number(/tickets of (\d+) /.exec(refused.body.error.details[`removed.${main.key}`].join())?.[1] ?? 0);
  };
  const before = await partiesOfMain();
  const paid = await tools.paid(await tools.held(session.id, 1));
  const [payment] = await app.database.asOwner<{ branch_id: string }>(
    "select branch_id from payments where id = (select payment_id from experience_bookings where id = $1)",
    [paid.id],
  );
  expect(Number(payment?.branch_id)).toBe(main.id);
  expect(await partiesOfMain()).toBe(before + 1);
});

const cancel = (session: ExperienceSession) =>
  tools.done("POST", `/experience-sessions/${session.id}/cancellation`, { seen_version: session.version, reason: "the chef is ill" });
const remove = (id: number) => tools.send("POST", `/experiences/${id}/remove`, { seen_version: 1 });
const listed = async (session: ExperienceSession): Promise<boolean> => {
  const desk: ExperienceDesk = await tools.done("GET", "/experiences");
  return desk.sessions.some(({ id }) => id === session.id) && desk.experiences.some(({ id }) => id === session.experience_id);
};

test("a cancelled session with tickets that are not refunded keeps its experience, in the console and in a file, and is listed after its day", async () => {
  const session = await tools.session(4);
  const paid = await tools.paid(await tools.held(session.id, 2));
  await cancel(session);
  const sentence = "Tickets of a cancelled session are not refunded. Refund them first.";
  expect((await remove(session.experience_id)).body.error.details).toEqual({ sessions: [sentence] });
  const text = JSON.stringify(await fileWithout(session));
  const compared = await tools.send("POST", "/venue-file/comparison", { text });
  expect(Object.values(compared.body.error.details)).toEqual([["It has tickets of 1 party that are not refunded. Refund them first."]]);
  await app.database.asOwner("update experience_sessions set starts_at = '2026-11-03T19:30Z' where id = $1", [session.id]);
  expect(await listed(session)).toBe(true);
  expect((await remove(session.experience_id)).status).toBe(422);
  expect((await tools.act(paid, "refunds", { reason: "the chef is ill" })).status).toBe(201);
  expect(await listed(session)).toBe(false);
  expect((await remove(session.experience_id)).status).toBe(200);
});

test("free tickets of a cancelled session keep nothing: there is nothing to refund", async () => {
  const session = await tools.session(4, { price_minor: 0 });
  await tools.held(session.id, 2);
  await cancel(session);
  expect((await remove(session.experience_id)).status).toBe(200);
});

test("another zone of the venue: a sold session keeps its moment and its tickets, and later events have the time on the new clock", async () => {
  const venue = await app.venue("lab", ({ restaurant }) => {
    restaurant.slug = "moved-lab";
  });
  const there = experienceTools(app, venue, await createUser(app, venue.slug, "owner", "oda@lab.example"));
  const session = await there.session(4);
  const before = await there.paid(await there.held(session.id, 1));
  const { restaurant } = await there.done("GET", "/settings");
  const moved = { ...restaurant.value, zone: "Asia/Tokyo" };
  await there.done("PUT", "/settings/restaurant", { seen_version: restaurant.version, restaurant: moved });
  const sheet = await there.sheet(session.id);
  expect([sheet.zone, sheet.session.starts_at, sheet.session.sold, sheet.closed_because]).toEqual([
    "Asia/Tokyo",
    session.starts_at,
    1,
    null,
  ]);
  const after = await there.paid(await there.held(session.id, 1));
  const times = [...(await there.eventsOf(before.id)), ...(await there.eventsOf(after.id))].map(({ date, time }) => `${date} ${time}`);
  expect(times).toEqual(["2026-12-04 19:30", "2026-12-05 04:30"]);
});

/** Ids that are left of these rows. */
const left = async (table: "experience_sessions" | "experiences", ids: readonly number[]): Promise<number[]> =>
  (await app.database.asOwner<{ id: string }>(`select id from ${table} where id = any($1) order by id`, [ids])).map(({ id }) => Number(id));

test("30 days after they were cancelled, took place or were removed, sessions and experiences without a sale are deleted, and no day before", async () => {
  const { id } = await tools.add();
  const [cancelled, past, sold, planned] = await tools.plan(id, { weeks: 4 });
  if (!cancelled || !past || !sold || !planned) return expect.fail("four weeks have four sessions");
  const released = await tools.held(cancelled.id, 1);
  await tools.act(released, "release");
  const refunded = await tools.paid(await tools.held(sold.id, 1));
  await tools.act(refunded, "refunds", { reason: "not coming" });
  for (const session of [cancelled, sold]) await cancel(session);
  const unsold = await tools.add();
  await remove(unsold.id);
  const [sessions, experiences] = [
    [cancelled.id, past.id, sold.id, planned.id],
    [id, unsold.id],
  ];
  const purgeAfter = async (ms: number): Promise<number[][]> => {
    const over = new Date(app.clock.now().getTime() - ms);
    await app.database.asOwner("update experience_bookings set created_at = $1 where session_id = any($2)", [over, sessions]);
    await app.database.asOwner("update experience_sessions set cancelled_at = $1 where id = any($2)", [over, [cancelled.id, sold.id]]);
    await app.database.asOwner("update experience_sessions set starts_at = $1 where id = $2", [over, past.id]);
    await app.database.asOwner("update experiences set deleted_at = $1 where id = $2", [over, unsold.id]);
    await purgeExpired(app.deps);
    return [await left("experience_sessions", sessions), await left("experiences", experiences)];
  };
  expect(await purgeAfter(30 * DAY_MS)).toEqual([sessions, experiences]);
  expect(await purgeAfter(30 * DAY_MS + 1)).toEqual([[sold.id, planned.id], [id]]);
  // An experience for which nothing was sold is deleted with its sessions; this one stays with what was sold.
  expect((await remove(id)).status).toBe(200);
  await app.database.asOwner("update experiences set deleted_at = $1 where id = $2", [new Date("2026-01-01"), id]);
  await app.database.asOwner("update experience_sessions set cancelled_at = $1 where id = $2", [new Date("2026-01-01"), planned.id]);
  await purgeExpired(app.deps);
  expect([await left("experience_sessions", sessions), await left("experiences", experiences)]).toEqual([[sold.id], [id]]);
});

test("until they are deleted, cancelled sessions of an experience and removed experiences of a venue are bounded", async () => {
  const { id } = await tools.add();
  const fill = (statement: string) => app.database.asOwner(statement, [lab.id, id, app.clock.now()]);
  const plan = () => tools.send("POST", `/experiences/${id}/sessions`, { date: "2026-12-04", time: "19:30", capacity: 4, weeks: 1 });
  const SESSIONS = `insert into experience_sessions (restaurant_id, experience_id, starts_at, capacity, cancelled_at)
    select $1, $2, $3, 4, $3 from generate_series(1, 399)`;
  await fill(SESSIONS);
  const planned = await plan();
  expect(planned.status).toBe(201);
  await cancel(planned.body.data[0]);
  expect((await plan()).body.error.details).toEqual({
    weeks: ["The experience has 400 cancelled sessions. Plan more when they are deleted, 30 days after they were cancelled."],
  });
  const add = () => tools.send("POST", "/experiences", { experience: tools.value });
  await fill(`insert into experiences (restaurant_id, key, name, price_minor, branch_id, sort_order, deleted_at)
    select $1, gen_random_uuid()::text, '{"en": "Gone"}', 0, e.branch_id, 0, $3 from experiences e, generate_series(1, 400) where e.id = $2`);
  expect((await add()).body.error.details.experience).toEqual([
    expect.stringMatching(/^The venue has 40\d removed experiences\. Add more when they are deleted, 30 days after they were removed\.$/),
  ]);
  await app.database.asOwner("update experiences set deleted_at = '2026-01-01' where restaurant_id = $1 and deleted_at is not null", [
    lab.id,
  ]);
  await purgeExpired(app.deps);
  expect((await add()).status).toBe(201);
});
