/**
 * One week of shifts over two processes: published many times at once, while managers go on planning. Each set of changes is one event, and
 * the last event has what is published. And shifts of one person that overlap, added at once: one is stored.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import type { WeekPublication } from "@comanda/contract/console/shifts.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { type ShiftTools, shiftTools } from "../support/shifts.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WRITES = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 10_000 : 40));
const OVERLAPS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 10_000 : 20));
/** Rounds of adding and publishing at once. */
const MIXED_ROUNDS = process.env.TEST_STRESS ? 60 : 2;
const PUBLISHERS = 20;
const CHANGES_A_ROUND = 4;
const RATE = { CONSOLE_RATE_PER_MINUTE: "1000000" };

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let manager: TestUser;
let shifts: ShiftTools;
let people: number[];
const agent = new Agent({ keepAlive: true, maxSockets: PUBLISHERS });

/** Returns a day by the servers' clock, which is the real one. */
const dayAhead = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

beforeAll(async () => {
  app = await startApp({ environment: RATE });
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  shifts = await shiftTools(app, lab, manager);
  // People who have not accepted get no mails, so the limit of mails refuses no publication.
  const invited = (await shifts.week(dayAhead(0))).people.filter(({ has_accepted }) => !has_accepted);
  people = invited.map(({ id }) => id);
  fleet = await createFleet(app.database.appUrl, RATE);
  await Promise.all([fleet.start(), fleet.start()]);
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type PostAnswer = { status: number; text: string };
type PostCall = (path: string, body: object) => Promise<PostAnswer>;

const overFleet: PostCall = async (path, body) => {
  const { status, text } = await sendCall({
    port: fleet.port,
    agent,
    token: null,
    prefix: CONSOLE_PREFIX,
    method: "POST",
    path: `/venues/${lab.slug}${path}`,
    headers: { cookie: `__Host-comanda=${manager.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() },
    body,
  });
  return { status, text };
};

const inProcess =
  (on: TestApp): PostCall =>
  (path, body) =>
    consoleCall(on, "POST", `/venues/${lab.slug}${path}`, {
      cookie: manager.cookie,
      headers: { "idempotency-key": randomUUID() },
      body,
    });

/** Weeks that no round has used. */
let weeksUsed = 0;
const freshWeek = async (): Promise<string> => (await shifts.week(dayAhead(7 * (1 + (weeksUsed++ % 45))))).week_start;

const plan = (week: string, round: number, place: number, staffId: number): object => ({
  staff_id: staffId,
  date: new Date(Date.parse(week) + (place % 7) * 86_400_000).toISOString().slice(0, 10),
  from: `${String(round % 24).padStart(2, "0")}:${String((place * 2) % 60).padStart(2, "0")}`,
  to: `${String(round % 24).padStart(2, "0")}:${String(((place * 2) % 60) + 1).padStart(2, "0")}`,
  role: null,
  note: null,
});

type RoundResult = { events: number; winners: number; published: number; statuses: number[] };

/** A set of changes, then many publications of it at once. */
const publishAtOnce = async (post: PostCall, week: string, round: number): Promise<RoundResult> => {
  const branch_id = shifts.branchId;
  for (let place = 0; place < CHANGES_A_ROUND; place++) {
    const added = await post("/shifts", { branch_id, shift: plan(week, round, place, people[place % people.length] ?? 0) });
    if (added.status !== 201) throw new Error(added.text);
  }
  const before = (await shifts.events()).length;
  const { version } = await shifts.week(week);
  const body = { branch_id, week_start: week, seen_version: version };
  const answers = await Promise.all(Array.from({ length: PUBLISHERS }, () => post("/shift-weeks/publications", body)));
  const results = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).data as WeekPublication);
  return {
    events: (await shifts.events()).length - before,
    winners: results.filter(({ changes }) => changes > 0).length,
    published: results.reduce((sum, { changes }) => sum + changes, 0),
    statuses: answers.map(({ status }) => status),
  };
};

/** Shifts of which the last event and the published side differ. */
const wronglyPublished = (): Promise<{ id: string }[]> =>
  app.database.asOwner(
    `with newest as (
       select distinct on (body::jsonb #>> '{data,week_start}', body::jsonb #>> '{data,branch_id}') body::jsonb -> 'data' -> 'shifts' as shifts
       from events where type = 'shift.published'
       order by body::jsonb #>> '{data,week_start}', body::jsonb #>> '{data,branch_id}', created_at desc, id desc
     ), listed as (select (s ->> 'id')::bigint as id, (s ->> 'starts_at')::timestamptz as starts_at from newest, jsonb_array_elements(newest.shifts) s)
     select coalesce(p.id, l.id) as id from (select id, published_starts_at from shifts where published_staff_id is not null) p
     full join listed l on l.id = p.id where p.id is null or l.id is null or l.starts_at <> p.published_starts_at`,
  );

test(`${WRITES} publications at once over two processes: one event for each set of changes`, {
  timeout: WRITES * 100 + 120_000,
}, async () => {
  const statuses = new Map<number, number>();
  let [rounds, week] = [0, await freshWeek()];
  for (let sent = 0; sent < WRITES; sent += PUBLISHERS) {
    if (rounds > 0 && rounds % 20 === 0) week = await freshWeek();
    const result = await publishAtOnce(overFleet, week, rounds);
    for (const status of result.statuses) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(result).toMatchObject({ events: 1, winners: 1, published: CHANGES_A_ROUND });
    rounds++;
  }
  expect(await wronglyPublished()).toEqual([]);
  // A busy machine answers 503 to some, who try again.
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([]);
  const [counted] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(Number(counted?.deadlocks)).toBe(0);
  console.info(`${rounds} sets of changes, ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}`);
});

test("while shifts are added and published at once, every event has what was published with it", { timeout: 300_000 }, async () => {
  const week = await freshWeek();
  const branch_id = shifts.branchId;
  const publishPatiently = async (): Promise<number> => {
    for (let tries = 1; ; tries++) {
      const { version } = await shifts.week(week);
      const { status } = await overFleet("/shift-weeks/publications", { branch_id, week_start: week, seen_version: version });
      if (status !== 409 || tries === 20) return status;
    }
  };
  for (let round = 0; round < MIXED_ROUNDS; round++) {
    const adding = Array.from({ length: 10 }, (_, place) =>
      overFleet("/shifts", { branch_id, shift: plan(week, round, place, people[place % people.length] ?? 0) }),
    );
    const publishing = Array.from({ length: 5 }, publishPatiently);
    await Promise.all([...adding, ...publishing]);
    expect(await wronglyPublished()).toEqual([]);
  }
  await shifts.publish(week);
  expect((await shifts.week(week)).changes).toBe(0);
});

/** Pairs of shifts of one person at one moment. */
const countOverlaps = async (): Promise<number> => {
  const [found] = await app.database.asOwner<{ pairs: number }>(
    `select count(*)::integer as pairs from shifts a join shifts b on a.restaurant_id = b.restaurant_id and a.staff_id = b.staff_id and a.id < b.id
       and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at)
     where a.deleted_at is null and b.deleted_at is null`,
  );
  return found?.pairs ?? -1;
};

const OVERLAPPING = 20;

/** Every one overlaps with every other, in both branches. */
const overlapAtOnce = async (post: PostCall, round: number): Promise<number[]> => {
  const [staff_id, date] = [people[round % people.length] ?? 0, dayAhead(20 + (round % 300))];
  const answers = await Promise.all(
    Array.from({ length: OVERLAPPING }, (_, caller) =>
      post("/shifts", {
        branch_id: caller % 2 === 0 ? shifts.branchId : shifts.otherBranchId,
        shift: { staff_id, date, from: `10:${String(caller).padStart(2, "0")}`, to: "12:00", role: null, note: null },
      }),
    ),
  );
  return answers.map(({ status }) => status);
};

test(`${OVERLAPS} shifts of one person that overlap, at once over two processes: none is stored twice`, {
  timeout: OVERLAPS * 100 + 120_000,
}, async () => {
  await app.database.asOwner("delete from shifts");
  const statuses: number[] = [];
  for (let sent = 0; sent < OVERLAPS; sent += OVERLAPPING) {
    const round = sent / OVERLAPPING;
    // A round of an earlier lap took this day.
    if (round > 0 && round % 300 === 0) await app.database.asOwner("delete from shifts");
    const answers = await overlapAtOnce(overFleet, round);
    expect(answers.filter((status) => status === 201)).toHaveLength(1);
    expect(await countOverlaps()).toBe(0);
    statuses.push(...answers);
  }
  expect([...new Set(statuses)].filter((status) => ![201, 422, 503].includes(status))).toEqual([]);
  console.info(`${statuses.filter((status) => status === 201).length} stored of ${statuses.length}`);
});

test("planted: without the lock, publications that read before they write send the event twice", async () => {
  const lockless = faultInjectingPool((statement) =>
    statement.text.includes("pg_advisory_xact_lock(hashtextextended(")
      ? { ...statement, text: statement.text.replace("pg_advisory_xact_lock(hashtextextended($1, 0))", "hashtextextended($1, 0)::text") }
      : null,
  );
  const faulty = await startApp({ database: app.database, pool: lockless, environment: RATE });
  faulty.clock.set(new Date().toISOString());
  let round = 0;
  const week = await freshWeek();
  const found = await repeatUntilDetected(
    () => publishAtOnce(inProcess(faulty), week, round++),
    ({ events }) => events > 1,
  );
  await faulty.close();
  expect(found.events).toBeGreaterThan(1);
});

/** This test is the last one, because its change of the database stays. */
test("planted: without the constraint, overlapping shifts are stored", async () => {
  await app.database.asOwner("delete from shifts");
  await app.database.asOwner("alter table shifts drop constraint shifts_one_place");
  const answers = await overlapAtOnce(inProcess(app), 0);
  expect(answers.filter((status) => status === 201).length).toBeGreaterThan(1);
  expect(await countOverlaps()).toBeGreaterThan(0);
});
