/**
 * Many parties ask for the last table at once, over two server processes: one gets it, however often one is cancelled.
 *
 * @every-postgres
 */
import { Agent } from "node:http";
import type { VenueFile } from "@comanda/contract/venue-file/venue-file.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer } from "../../../conformance/answer-check.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const CALLERS = 50;
const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 500 : 2));
const DAY_MS = 24 * 60 * 60 * 1000;
/** Days within the horizon; the slots of a day lie so far apart that two stays never meet. */
const DAYS = 300;
const HOURS_APART = 4;
/** Later than any round without cancels comes to. */
const CANCELS_HOUR = 20;

let app: TestApp;
let lab: LastTableVenue;
let fleet: Fleet;
let servers: ServerProcess[];
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

beforeAll(async () => {
  app = await startApp();
  lab = await openLab(app);
  fleet = await createFleet(app.database.appUrl);
  servers = await Promise.all([fleet.start(), fleet.start()]);
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type LastTableVenue = TestVenue & { tableId: number };

const oneTable = (file: VenueFile): void => {
  const branch = file.branches.find(({ is_default }) => is_default)?.key ?? "";
  file.tables = [{ key: "only", branch, name: "Only", code: "O", seats: 4, is_active: true }];
  file.table_combinations = [];
};

const openLab = async (on: TestApp): Promise<LastTableVenue> => {
  const venue = await on.venue("lab", oneTable);
  const [table] = await on.database.asOwner<{ id: string }>("select id from dining_tables where restaurant_id = $1", [venue.id]);
  return { ...venue, tableId: Number(table?.id) };
};

type ContestedSlot = { date: string; hour: number };

/** Ahead of the later of the two clocks: the servers' own, and the one that stands still in this process. */
const slotOf = (round: number, since: Date): ContestedSlot => ({
  date: new Date(Math.max(Date.now(), since.getTime()) + (2 + (round % DAYS)) * DAY_MS).toISOString().slice(0, 10),
  hour: HOURS_APART * Math.floor(round / DAYS),
});

/** All of them meet: half come half an hour later, and every fifth asks for the table by its id. */
const bookingAt = ({ date, hour }: ContestedSlot, caller: number, tableId: number) => ({
  name: `Party ${caller}`,
  phone: `+1 555 ${1000 + caller}`,
  party_size: 1 + (caller % 4),
  date,
  time: `${String(hour).padStart(2, "0")}:${caller % 2 === 0 ? "00" : "30"}`,
  ...(caller % 5 === 0 ? { table_id: tableId } : {}),
});

type PostBooking = (path: string, body?: object) => Promise<CheckedAnswer>;

const overTheWire: PostBooking = async (path, body) => {
  const call = { token: lab.token, method: "POST", path };
  const answer = await sendCall({ ...call, port: fleet.port, agent, ...(body ? { body } : {}) });
  expect(answerProblems(call, answer), `POST ${path} → ${answer.status} ${answer.text}`).toEqual([]);
  return answer;
};

const into =
  (faulty: TestApp, venue: TestVenue): PostBooking =>
  (path, body) =>
    faulty.call(venue.token, "POST", path, body ? { body } : {});

/** Two parties that hold one table at one moment. */
const doubleBooked = async (on: TestApp): Promise<number> => {
  const [found] = await on.database.asOwner<{ pairs: number }>(
    `select count(*)::integer as pairs from reservation_tables a join reservation_tables b
     on a.restaurant_id = b.restaurant_id and a.table_id = b.table_id and a.during && b.during and a.reservation_id < b.reservation_id`,
  );
  return found?.pairs ?? -1;
};

/** The status, and for a refusal the field that it is about. */
const kindOf = ({ status, text }: CheckedAnswer): string =>
  status === 422 ? `422 ${Object.keys(JSON.parse(text).error.details).join(" ")}` : `${status}`;

const idOf = ({ text }: CheckedAnswer): string => JSON.parse(text).data.id;

class Tally {
  readonly kinds: Record<string, number> = {};
  readonly problems: string[] = [];
  readonly #begin = performance.now();

  add(answer: CheckedAnswer): void {
    const kind = kindOf(answer);
    this.kinds[kind] = (this.kinds[kind] ?? 0) + 1;
    if (!["201", "422 time", "422 table_id"].includes(kind)) this.problems.push(`${kind}: ${answer.text.slice(0, 200)}`);
  }

  figures(): string {
    const seconds = ((performance.now() - this.#begin) / 1000).toFixed(1);
    return `${JSON.stringify(this.kinds)}, ${this.problems.length} problems, ${seconds} s`;
  }
}

const runRounds = async (on: TestApp, venue: LastTableVenue, post: PostBooking, rounds: readonly number[]): Promise<Tally> => {
  const tally = new Tally();
  for (const round of rounds) {
    const slot = slotOf(round, on.clock.now());
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, (_, caller) => post("/reservations", bookingAt(slot, caller, venue.tableId))),
    );
    for (const answer of answers) tally.add(answer);
    const winners = answers.filter(({ status }) => status === 201).length;
    if (winners !== 1) tally.problems.push(`round ${round}: ${winners} winners`);
    const pairs = await doubleBooked(on);
    if (pairs !== 0) tally.problems.push(`round ${round}: ${pairs} pairs at one table`);
  }
  return tally;
};

test(`D116 D117 of ${CALLERS} parties for the last table one gets it, over two processes, ${ROUNDS} times`, {
  timeout: 900_000,
}, async () => {
  const tally = await runRounds(
    app,
    lab,
    overTheWire,
    Array.from({ length: ROUNDS }, (_, round) => round),
  );
  console.log(`${ROUNDS} rounds × ${CALLERS}: ${tally.figures()}`);
  expect(tally.problems).toEqual([]);
  expect(tally.kinds["201"]).toBe(ROUNDS);
  // The kernel distributes the connections; a race within one process alone would prove little.
  for (const server of servers) expect(server.output().split('"answered"').length).toBeGreaterThan(ROUNDS * 5);
});

/** One slot for all rounds. Half of the winners cancel at once, while others are still asking; the rest cancel at the end. */
const runWithCancels = async (tally: Tally, rounds: number): Promise<{ cancelled: number }> => {
  const chance = random(SEED);
  const slot = { ...slotOf(0, app.clock.now()), hour: CANCELS_HOUR };
  const counts = { cancelled: 0 };
  const cancel = async (id: string): Promise<void> => {
    const { status, text } = await overTheWire(`/reservations/${id}/cancel`);
    if (status !== 200) tally.problems.push(`cancel ${status}: ${text.slice(0, 200)}`);
    counts.cancelled++;
  };
  for (let round = 0; round < rounds; round++) {
    const kept: string[] = [];
    const ask = async (caller: number): Promise<number> => {
      const answer = await overTheWire("/reservations", bookingAt(slot, caller, lab.tableId));
      tally.add(answer);
      if (answer.status === 201 && chance(2) === 0) await cancel(idOf(answer));
      else if (answer.status === 201) kept.push(idOf(answer));
      return answer.status;
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => ask(caller)));
    if (kept.length > 1) tally.problems.push(`round ${round}: ${kept.length} parties kept the table`);
    // Called off by all who had it: then the next one to ask gets it.
    if (kept.length === 0 && (await ask(1)) !== 201) tally.problems.push(`round ${round}: a table that was given back is lost`);
    const pairs = await doubleBooked(app);
    if (pairs !== 0) tally.problems.push(`round ${round}: ${pairs} pairs at one table`);
    for (const id of kept) await cancel(id);
  }
  return counts;
};

test(`R4.3-17 with random cancels in between the table is never given twice and never lost, ${ROUNDS} times`, {
  timeout: 900_000,
}, async () => {
  const tally = new Tally();
  const { cancelled } = await runWithCancels(tally, ROUNDS);
  console.log(`with cancels: TEST_SEED=${SEED}, ${ROUNDS} rounds × ${CALLERS}: ${tally.figures()}, ${cancelled} cancelled`);
  expect(tally.problems).toEqual([]);
  // Each winner was cancelled in the end, so as many were accepted as cancelled, and at least one in each round.
  expect(tally.kinds["201"]).toBe(cancelled);
  expect(cancelled).toBeGreaterThanOrEqual(ROUNDS);
});

const lockless = faultInjectingPool((statement) =>
  statement.text.includes("pg_advisory_xact_lock(hashtextextended(")
    ? { ...statement, text: statement.text.replace("pg_advisory_xact_lock(hashtextextended($1, 0))", "hashtextextended($1, 0)::text") }
    : null,
);

test("without the day's lock the constraint alone still lets one party in", async () => {
  const faulty = await startApp({ pool: lockless });
  const venue = await openLab(faulty);
  const tally = await runRounds(faulty, venue, into(faulty, venue), [0]);
  await faulty.close();
  console.log(`without the lock: ${CALLERS} parties: ${tally.figures()}`);
  expect(tally.problems).toEqual([]);
});

test("planted fault: without lock and constraint, checking before inserting lets several in", async () => {
  const faulty = await startApp({ pool: lockless });
  await faulty.database.asOwner("alter table reservation_tables drop constraint reservation_tables_one_party");
  await faulty.database.asOwner("alter table reservation_tables drop constraint reservation_tables_pkey");
  const venue = await openLab(faulty);
  let round = 0;
  const tally = await repeatUntilDetected(
    () => runRounds(faulty, venue, into(faulty, venue), [round++]),
    (run) => run.problems.some((problem) => /pairs at one table/.test(problem)),
  );
  await faulty.close();
  console.log(`without lock and constraint: ${tally.figures()}: ${tally.problems.join("; ")}`);
  expect(tally.problems.some((problem) => /: ([2-9]|\d\d) winners/.test(problem))).toBe(true);
  expect(tally.problems.some((problem) => /pairs at one table/.test(problem))).toBe(true);
});
