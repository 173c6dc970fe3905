/**
 * Sessions of a few seats, over two processes: held, paid, released, refunded and expired by the job, while managers change the number of
 * seats, all at once. Never more tickets than seats, counters equal to the bookings, one event for each booking that was paid.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import type { SessionBooking, SessionSheet } from "@comanda/contract/console/experiences.ts";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem } from "../../src/compose/as-system.ts";
import { experienceJobs } from "../../src/venue/bookings/experiences/jobs.ts";
import { consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { type ExperienceTools, experienceTools } from "../support/experiences.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const WRITES = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 10_000 : 80));
const SESSIONS = 2;
const SEATS = 6;
const HOLDS_A_SESSION = 8;
const LATER_MS = 6 * 60_000;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let manager: TestUser;
let tools: ExperienceTools;
const agent = new Agent({ keepAlive: true, maxSockets: 12 });

beforeAll(async () => {
  app = await startApp({ environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  app.clock.set(new Date().toISOString());
  lab = await app.venue("lab");
  manager = await createUser(app, lab.slug, "manager", "max@lab.example");
  tools = experienceTools(app, lab, manager);
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "1000000" });
  for (let server = 0; server < 2; server++) await fleet.start();
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

const send = async (method: string, path: string, body: object, key: string = randomUUID()): Promise<number> => {
  const { status } = await sendCall({
    port: fleet.port,
    agent,
    token: null,
    prefix: CONSOLE_PREFIX,
    method,
    path: `/venues/${lab.slug}${path}`,
    headers: { cookie: `__Host-comanda=${manager.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": key },
    body,
  });
  return status;
};

type TicketWrite = () => Promise<number>;

/** The expiry runs here, and it is six minutes later; the two processes have the real time. */
const expireNow = (booking: SessionBooking): TicketWrite => {
  const later = new Date(Date.now() + LATER_MS);
  const deps = { ...app.deps, clock: { now: () => later, ofChange: () => later, ofDatabase: () => later } };
  return async () => {
    await experienceJobs["expire-ticket-hold"](asSystem(deps, lab.id), { booking_id: booking.id, hold_ends_at: booking.hold_ends_at });
    return 0;
  };
};

/** Two people act on each booking: both pay, release or refund, or one pays while the other one releases or the job ends the hold. */
const actsOn = (booking: SessionBooking, turn: number): TicketWrite[] => {
  const path = `/experience-bookings/${booking.id}`;
  const seen_version = booking.version;
  const act = (name: string, more: object, key?: string) => () => send("POST", `${path}/${name}`, { seen_version, ...more }, key);
  const pay = (key: string) => act("payments", { method: "cash" }, key);
  const refund = act("refunds", { reason: "not coming" });
  if (booking.state === "paid") return turn % 3 === 0 ? [] : [refund, refund];
  if (booking.state !== "held") return [act("hold", {}), act("hold", {})];
  const key = randomUUID();
  const release = act("release", {});
  const pairs = [
    [pay(key), pay(key)],
    [release, pay(key)],
    [expireNow(booking), pay(key)],
    [pay(key), pay(randomUUID())],
    [release, release],
  ];
  return pairs[turn % pairs.length] ?? [];
};

/** The writes of one round, to be sent at once. */
const writesOf = async (sessionIds: readonly number[]): Promise<TicketWrite[]> => {
  const sheets = await Promise.all(sessionIds.map((id) => tools.sheet(id)));
  return sheets.flatMap(({ session, bookings, ended }: SessionSheet, place) => {
    const path = `/experience-sessions/${session.id}`;
    const holds = Array.from({ length: HOLDS_A_SESSION }, (_, turn) => () => {
      const phone = turn % 2 === 0 ? `+1 555 0${turn}` : null;
      return send("POST", `${path}/bookings`, { tickets: 1 + (turn % 3), name: "Ada", phone, email: null });
    });
    const seats = [SEATS - 1, SEATS + 2].map(
      (capacity) => () => send("PUT", path, { seen_version: session.version, capacity: capacity + (place % 2) }),
    );
    return [...holds, ...[...bookings, ...ended.slice(0, 3)].flatMap(actsOn), ...seats];
  });
};

const atOnce = (writes: readonly TicketWrite[]): Promise<number[]> => Promise.all(writes.map((write) => write()));

const planSessions = async (): Promise<number[]> => {
  const { id } = await tools.add();
  const date = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  return (await tools.plan(id, { date, capacity: SEATS, weeks: SESSIONS })).map((session) => session.id);
};

const ACTIONS = [
  "experience_booking.expired",
  "experience_booking.held",
  "experience_booking.paid",
  "experience_booking.refunded",
  "experience_booking.released",
  "experience_session.capacity_changed",
];
const ROUNDS_MAX = 30;

const actionsOf = async (): Promise<string[]> => {
  const rows = await app.database.asOwner<{ action: string }>("select distinct action from audit_entries");
  return rows.map(({ action }) => action);
};

const hasAll = async (): Promise<boolean> => {
  const actions = await actionsOf();
  return ACTIONS.every((action) => actions.includes(action));
};

test(`${WRITES} holds, payments, refunds, releases, expiries and changes of capacity at once: never above capacity, one event for each sale`, {
  timeout: WRITES * 200 + 60_000,
}, async () => {
  const statuses = new Map<number, number>();
  let sessionIds = await planSessions();
  // On a busy machine more rounds are needed until everything has happened.
  for (let written = 0, round = 1; written < WRITES || (round <= ROUNDS_MAX && !(await hasAll())); round++) {
    const writes = await writesOf(sessionIds);
    for (const status of await atOnce(writes)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    written += writes.length;
    expect(await tools.faults()).toEqual([]);
    if (round % 20 === 0) sessionIds = await planSessions();
  }
  // A busy machine answers 503 to some, who try again.
  expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([]);
  const [counted] = await app.database.asOwner<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  expect(Number(counted?.deadlocks)).toBe(0);
  expect(await actionsOf()).toEqual(expect.arrayContaining(ACTIONS));
  const told = await app.database.asOwner("select from events where type = 'experience.booked'");
  console.info(`${told.length} sales; ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(", ")}`);
  expect(told.length).toBeGreaterThan(0);
});

test("planted: a sale that is told twice, one whose payment is missing, and a counter that is wrong are found", async () => {
  const [sessionId = 0] = await planSessions();
  const { id } = await tools.paid(await tools.held(sessionId, 2));
  const found = async (plant: string, undo: string): Promise<string[]> => {
    await app.database.asOwner(plant);
    const faults = await tools.faults();
    await app.database.asOwner(undo);
    return faults.map(({ fault }) => fault);
  };
  const event = `from events where type = 'experience.booked' and (body::jsonb #>> '{data,experience_booking,id}')::bigint = ${id}`;
  expect(
    await found(
      `insert into events (restaurant_id, id, type, created_at, body) select restaurant_id, gen_random_uuid(), type, created_at, body ${event}`,
      `delete from events where ctid = (select ctid ${event} order by ctid desc limit 1)`,
    ),
  ).toEqual(["sales and events differ"]);
  const payment = `where id = (select payment_id from experience_bookings where id = ${id})`;
  expect(
    await found(
      `update payments set amount_minor = amount_minor - 1 ${payment}`,
      `update payments set amount_minor = amount_minor + 1 ${payment}`,
    ),
  ).toEqual(["a booking and its payment differ"]);
  const session = `update experience_sessions set sold = sold`;
  expect(await found(`${session} + 1 where id = ${sessionId}`, `${session} - 1 where id = ${sessionId}`)).toEqual([
    "not the sum of its bookings",
  ]);
  expect(await tools.faults()).toEqual([]);
});

test("planted: without the lock on the session and without the constraint, the same check finds more tickets than seats", async () => {
  await app.database.asOwner("alter table app.experience_sessions drop constraint experience_sessions_check");
  const careless = faultInjectingPool(({ text, ...rest }) =>
    / from experience_sessions s\b.* for update of s$/s.test(text) ? { ...rest, text: text.replace(/ for update of s$/, "") } : null,
  );
  const faulty = await startApp({ database: app.database, pool: careless, environment: { CONSOLE_RATE_PER_MINUTE: "1000000" } });
  faulty.clock.set(new Date().toISOString());
  const hold = (sessionId: number): Promise<unknown> =>
    consoleCall(faulty, "POST", `/venues/${lab.slug}/experience-sessions/${sessionId}/bookings`, {
      cookie: manager.cookie,
      body: { tickets: 1, name: "Ada", phone: null, email: null },
      headers: { "idempotency-key": randomUUID() },
    });
  const found = await repeatUntilDetected(
    async () => {
      const [sessionId = 0] = await planSessions();
      await Promise.all(Array.from({ length: 3 * SEATS }, () => hold(sessionId)));
      return tools.faults();
    },
    (wrong) => wrong.length > 0,
  );
  await faulty.close();
  expect(found[0]?.fault).toBe("above its capacity");
});
