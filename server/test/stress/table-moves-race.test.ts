/**
 * Everything that can give a table away, at once, over two server processes: bookings through the API, moves, joined tables, longer stays,
 * no-shows taken back, requests confirmed, walk-ins and blocks. No two parties ever hold one table at one moment. The short form has two
 * rounds of 50; `TEST_STRESS=1 npm test -- table-moves-race` has 500.
 *
 * @every-postgres
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { CONSOLE_PREFIX } from "@comanda/contract/console/operation.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findReservationForChange, makeReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { moveReservation } from "#venue/bookings/reservations/service/changes.ts";
import { consoleCall, createUser, type TestUser } from "../support/console-client.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { forVenue, startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 500 : 2));
const DAY_MS = 24 * 60 * 60 * 1000;
const DAYS = 150;

type Answered = { status: number; text: string };
type Call = { method: string; path: string; body?: object };
/** How a round asks: the API with a token, the console as the manager. */
type Ways = { api: (call: Call) => Promise<Answered>; desk: (call: Call) => Promise<Answered> };
type RaceVenue = TestVenue & { tables: [one: number, two: number]; manager: TestUser };

const openVenue = async (on: TestApp): Promise<RaceVenue> => {
  const venue = await on.venue("lab", (file) => {
    const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
    file.tables = ["one", "two"].map((key) => ({ key, branch, name: key, code: key, seats: 4, is_active: true }));
    file.table_combinations = [];
  });
  const rows = await on.database.asOwner<{ id: string }>("select id from dining_tables where restaurant_id = $1 order by key", [venue.id]);
  return { ...venue, tables: [Number(rows[0]?.id), Number(rows[1]?.id)], manager: await createUser(on, venue.slug, "manager") };
};

const dayOf = (on: TestApp, days: number): string => new Date(on.clock.now().getTime() + days * DAY_MS).toISOString().slice(0, 10);

type Contest = { date: string; movers: string[]; noShows: string[]; requests: string[]; stretched: string };

const TIME = "12:00";
const clockOf = (minute: number): string => `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** Bookings on other days and at other times that all want the first table at one time. */
const prepare = async (on: TestApp, venue: RaceVenue, round: number): Promise<Contest> => {
  const date = dayOf(on, 2 + (round % DAYS));
  const elsewhere = dayOf(on, 200 + (round % DAYS));
  const make = (changes: object) =>
    forVenue(on.deps, venue.slug, (ctx) =>
      makeReservation(ctx, {
        name: "Party",
        phone: `+1 555 ${1000 + round}`,
        party_size: 2,
        date,
        time: TIME,
        table_id: venue.tables[0],
        ...changes,
      }),
    );
  const movers = [];
  for (let place = 0; place < 8; place++)
    movers.push((await make({ date: elsewhere, time: clockOf(place * 120), table_id: venue.tables[1] })).id);
  const noShows = [];
  for (let place = 0; place < 4; place++) {
    const { id } = await make({});
    await forVenue(on.deps, venue.slug, async (ctx) => moveReservation(ctx, await findReservationForChange(ctx, id), "no_show"));
    noShows.push(id);
  }
  const requests = [];
  for (const time of ["04:00", "06:00", "18:00", "20:00"]) requests.push((await make({ time, status: "pending" })).id);
  return { date, movers, noShows, requests, stretched: (await make({ time: "10:30" })).id };
};

/** Fifty calls that meet at one table. */
const callsOf = (
  { date, movers, noShows, requests, stretched }: Contest,
  { slug, tables: [one, two] }: RaceVenue,
  ways: Ways,
): Promise<Answered>[] => {
  const path = (rest: string): string => `/venues/${slug}${rest}`;
  const desk = (method: string, rest: string, body: object) => ways.desk({ method, path: path(rest), body });
  const guest = (place: number) => ({ name: `Party ${place}`, phone: `+1 555 ${2000 + place}`, date });
  return [
    ...Array.from({ length: 20 }, (_, place) =>
      ways.api({
        method: "POST",
        path: "/reservations",
        body: { ...guest(place), party_size: 2, time: place % 2 ? TIME : "12:30", ...(place % 3 === 0 ? { table_id: one } : {}) },
      }),
    ),
    ...movers.map((id) => desk("PATCH", `/bookings/${id}`, { seen_version: 1, date, time: TIME, table_ids: [one] })),
    ...Array.from({ length: 6 }, (_, place) =>
      desk("POST", "/bookings", { ...guest(50 + place), party_size: 7, time: "12:15", table_ids: [one, two] }),
    ),
    ...noShows.map((id) => desk("POST", `/bookings/${id}/steps`, { seen_version: 2, step: "undo_no_show" })),
    ...requests.map((id) => desk("POST", `/bookings/${id}/answer`, { seen_version: 1, answer: "confirm" })),
    desk("PATCH", `/bookings/${stretched}`, { seen_version: 1, minutes: 180 }),
    ...Array.from({ length: 3 }, () =>
      desk("POST", "/table-blocks", { table_ids: [one], starts_at: `${date}T12:10:00Z`, ends_at: `${date}T13:00:00Z`, reason: "repairs" }),
    ),
    ...[one, one, two, two].map((table) => desk("POST", "/walk-ins", { party_size: 2, table_ids: [table] })),
  ];
};

/** Two rows that hold one table at one moment, or two parties that sit at it. */
const overlaps = async (on: TestApp): Promise<number> => {
  const [found] = await on.database.asOwner<{ pairs: number }>(
    `select count(*)::integer as pairs from reservation_tables a join reservation_tables b
     on a.restaurant_id = b.restaurant_id and a.table_id = b.table_id and a.ctid < b.ctid
       and (a.during && b.during or (a.is_present and b.is_present))`,
  );
  return found?.pairs ?? -1;
};

type RaceOutcome = { kinds: Record<string, number>; problems: string[] };

const runRounds = async (on: TestApp, venue: RaceVenue, ways: Ways, rounds: number): Promise<RaceOutcome> => {
  const outcome: RaceOutcome = { kinds: {}, problems: [] };
  for (let round = 0; round < rounds; round++) {
    const answers = await Promise.all(callsOf(await prepare(on, venue, round), venue, ways));
    for (const { status, text } of answers) {
      outcome.kinds[status] = (outcome.kinds[status] ?? 0) + 1;
      if (![200, 201, 422].includes(status)) outcome.problems.push(`${status}: ${text.slice(0, 200)}`);
    }
    const pairs = await overlaps(on);
    if (pairs !== 0) outcome.problems.push(`round ${round}: ${pairs} pairs at one table`);
    // Everything is given back, so that the next round begins with two free tables.
    await on.database.asOwner("delete from reservation_tables where restaurant_id = $1", [venue.id]);
  }
  return outcome;
};

let app: TestApp;
let fleet: Fleet;
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

beforeAll(async () => {
  app = await startApp();
  app.clock.set(new Date().toISOString());
  fleet = await createFleet(app.database.appUrl, { CONSOLE_RATE_PER_MINUTE: "200000", RATE_PER_MINUTE: "200000" });
  await Promise.all([fleet.start(), fleet.start()]);
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

const overFleet = ({ token, manager }: RaceVenue): Ways => ({
  api: (call) => sendCall({ port: fleet.port, agent, token, ...call }),
  desk: (call) =>
    sendCall({
      port: fleet.port,
      agent,
      token: null,
      prefix: CONSOLE_PREFIX,
      headers: { cookie: `__Host-comanda=${manager.cookie}`, "sec-fetch-site": "same-origin", "idempotency-key": randomUUID() },
      ...call,
    }),
});

test(`${ROUNDS} rounds of 50 that give one table away: no table has two parties`, {
  timeout: ROUNDS * 10_000 + 120_000,
}, async () => {
  const venue = await openVenue(app);
  const began = performance.now();
  const { kinds, problems } = await runRounds(app, venue, overFleet(venue), ROUNDS);
  console.info(
    `${ROUNDS} rounds: ${JSON.stringify(kinds)}, ${problems.length} problems, ${((performance.now() - began) / 1000).toFixed(1)} s`,
  );
  expect(problems).toEqual([]);
  expect(kinds[422] ?? 0).toBeGreaterThan(ROUNDS * 20);
  expect((kinds[200] ?? 0) + (kinds[201] ?? 0)).toBeGreaterThanOrEqual(ROUNDS * 7);
});

const lockless = faultInjectingPool((statement) =>
  statement.text.includes("pg_advisory_xact_lock(hashtextextended(")
    ? { ...statement, text: statement.text.replace("pg_advisory_xact_lock(hashtextextended($1, 0))", "hashtextextended($1, 0)::text") }
    : null,
);

test("planted fault: without lock and constraint the same rounds give one table to several", async () => {
  const faulty = await startApp({ pool: lockless });
  faulty.clock.set(new Date().toISOString());
  await faulty.database.asOwner("alter table reservation_tables drop constraint reservation_tables_one_party");
  await faulty.database.asOwner("alter table reservation_tables drop constraint reservation_tables_pkey");
  await faulty.database.asOwner("drop index app.reservation_tables_one_present");
  const venue = await openVenue(faulty);
  const { token, manager } = venue;
  const inFaulty: Ways = {
    api: ({ method, path, body }) => faulty.call(token, method, path, body ? { body } : {}),
    desk: ({ method, path, body }) =>
      consoleCall(faulty, method, path, { cookie: manager.cookie, body, headers: { "idempotency-key": randomUUID() } }),
  };
  const outcome = await repeatUntilDetected(
    () => runRounds(faulty, venue, inFaulty, 1),
    ({ problems }) => problems.some((problem) => /pairs at one table/.test(problem)),
  );
  await faulty.close();
  expect(outcome.problems.some((problem) => /pairs at one table/.test(problem))).toBe(true);
});
