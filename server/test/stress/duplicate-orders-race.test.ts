/**
 * One order is sent many times at once, and many first orders of one phone: there is one order, one set of tickets, one guest.
 *
 * @every-postgres
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer } from "../../../conformance/answer-check.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const CALLERS = 100;
/** A process without the lock is found by fewer: they dwell where it was. */
const FAULTY_CALLERS = 20;
const ROUNDS = Number(process.env.TEST_ROUNDS ?? (process.env.TEST_STRESS ? 100 : 1));
const NEW_GUESTS = 50;
const NEW_GUEST_ROUNDS = process.env.TEST_STRESS ? 40 : 1;

let app: TestApp;
let lab: DuplicateOrdersVenue;
let fleet: Fleet;
let servers: ServerProcess[];
const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });

beforeAll(async () => {
  app = await startApp();
  lab = await openLab(app);
  fleet = await createFleet(app.database.appUrl);
  servers = [await fleet.start(), await fleet.start()];
});
afterAll(async () => {
  agent.destroy();
  await fleet.close();
  await app.close();
});

type DuplicateOrdersVenue = TestVenue & { lines: { item_id: number; quantity: number }[] };

/** Dishes of two stations: each order has two tickets. */
const openLab = async (on: TestApp): Promise<DuplicateOrdersVenue> => {
  const venue = await on.venue("lab", (file) => {
    for (const category of file.menus.flatMap((menu) => menu.categories)) category.station = category.key === "elements" ? "bar" : null;
  });
  const { data } = (await on.call(venue.token, "GET", "/items?per_page=100")).body;
  const dish = (name: string) => data.find((item: { name: { en: string } }) => item.name.en === name).id;
  return { ...venue, lines: ["Plain Plate", "Neon Nachos", "Argon Arancini"].map((name) => ({ item_id: dish(name), quantity: 1 })) };
};

const cart = (phone: string, { lines }: DuplicateOrdersVenue) => ({ type: "pickup", customer_name: "Ada", customer_phone: phone, lines });

type PostOrder = (phone: string, key: string | null) => Promise<CheckedAnswer>;
const keyed = (key: string | null): Record<string, string> => (key === null ? {} : { "idempotency-key": key });

const overTheWire: PostOrder = async (phone, key) => {
  const call = { token: lab.token, method: "POST", path: "/orders" };
  const answer = await sendCall({ ...call, port: fleet.port, agent, headers: keyed(key), body: cart(phone, lab) });
  expect(answerProblems(call, answer), `POST /orders → ${answer.status} ${answer.text}`).toEqual([]);
  return answer;
};

const into =
  (faulty: TestApp, venue: DuplicateOrdersVenue): PostOrder =>
  (phone, key) =>
    faulty.call(venue.token, "POST", "/orders", { body: cart(phone, venue), headers: keyed(key) });

type Effects = { orders: number; linked: number; tickets: number; created: number; entries: number; guests: number; welcomed: number };

/** What the database holds of one phone; `linked` counts the guests that its orders point to. */
const effectsOf = async (on: TestApp, phone: string): Promise<Effects> => {
  const [effects] = await on.database.asOwner<Effects>(
    `with o as (select id::text, guest_id from orders where customer_phone = $1),
          g as (select id from guests where phone = $1)
     select (select count(*) from o)::integer as orders,
       (select count(distinct guest_id) from o where guest_id in (select id from g))::integer as linked,
       (select count(*) from tickets where order_id::text in (select id from o) and state = 'queued')::integer as tickets,
       (select count(*) from events where type = 'order.created' and body::jsonb #>> '{data,order,id}' in (select id from o))::integer as created,
       (select count(*) from audit_entries where action = 'order.placed' and subject_id in (select id from o))::integer as entries,
       (select count(*) from g)::integer as guests,
       (select count(*) from events where type = 'guest.created'
         and (body::jsonb #>> '{data,guest,id}')::bigint in (select id from g))::integer as welcomed`,
    [phone],
  );
  if (!effects) throw new Error("No counts");
  return effects;
};

const expected = (orders: number): Effects => ({
  orders,
  linked: 1,
  tickets: orders * 2,
  created: orders,
  entries: orders,
  guests: 1,
  welcomed: 1,
});

const kindOf = ({ status, headers, text }: CheckedAnswer): string => {
  if (status === 201) return headers.get("idempotent-replayed") === "true" ? "replayed" : "made";
  return status === 409 && text.includes('"idempotency_key_in_use"') ? "in use" : `${status}`;
};

const tallyOf = (answers: CheckedAnswer[]): Record<string, number> =>
  Object.fromEntries(Map.groupBy(answers, kindOf).entries().map(([kind, group]) => [kind, group.length])); // biome-ignore format: one thought

type DuplicateRace = { answers: CheckedAnswer[]; problems: string[] };

/** One key per round, or none: then every caller places an order of its own. */
const runRounds = async (
  on: TestApp,
  post: PostOrder,
  shape: { rounds: number; callers: number; isKeyed: boolean },
): Promise<DuplicateRace> => {
  const race: DuplicateRace = { answers: [], problems: [] };
  for (let round = 0; round < shape.rounds; round++) {
    const phone = `+1 ${Date.now()} ${round}`;
    const key = shape.isKeyed ? randomUUID() : null;
    const answers = await Promise.all(Array.from({ length: shape.callers }, () => post(phone, key)));
    race.answers.push(...answers);
    const wanted = JSON.stringify(expected(shape.isKeyed ? 1 : shape.callers));
    const found = JSON.stringify(await effectsOf(on, phone));
    if (found !== wanted) race.problems.push(`round ${round}: ${found}`);
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    const known = shape.isKeyed ? ["made", "replayed", "in use"] : ["made"];
    for (const [kind, count] of Object.entries(tallyOf(answers)))
      if (!known.includes(kind)) race.problems.push(`round ${round}: ${count} × ${kind}`);
    if (shape.isKeyed && texts.size !== 1) race.problems.push(`round ${round}: ${texts.size} different orders in the answers`);
  }
  return race;
};

const SAME = { rounds: ROUNDS, callers: CALLERS, isKeyed: true };

test(`R4.2-33 ${CALLERS} identical orders at once over two processes are one order with its tickets, ${ROUNDS} times`, {
  timeout: 600_000,
}, async () => {
  const begin = performance.now();
  const { answers, problems } = await runRounds(app, overTheWire, SAME);
  const tally = tallyOf(answers);
  const seconds = (performance.now() - begin) / 1000;
  console.log(`orders: ${ROUNDS} rounds × ${CALLERS}: ${JSON.stringify(tally)}, ${problems.length} problems, ${seconds.toFixed(1)} s`);
  expect(problems).toEqual([]);
  expect(tally.made).toBe(ROUNDS);
  // The kernel distributes the connections; a race within one process alone would prove little.
  for (const server of servers) expect(server.output().split('"answered"').length).toBeGreaterThan(ROUNDS * 5);
});

test("planted fault: without the key's lock the same race is detected", async () => {
  // Where the lock was, every caller dwells a moment: so they meet however slow the machine is.
  const lockless = faultInjectingPool((statement) =>
    statement.text.includes("pg_try_advisory_xact_lock")
      ? {
          ...statement,
          text: statement.text.replace(/pg_try_advisory_xact_lock\(\$1\)/, "($1::bigint is not null and pg_sleep(0.2) is not null)"),
        }
      : null,
  );
  const faulty = await startApp({ database: app.database, pool: lockless });
  const { answers, problems } = await repeatUntilDetected(
    () => runRounds(app, into(faulty, lab), { ...SAME, callers: FAULTY_CALLERS, rounds: 1 }),
    (race) => race.problems.length > 0,
  );
  await faulty.close();
  console.log(`orders without the lock: ${JSON.stringify(tallyOf(answers))}, ${problems.length} problems`);
  expect(problems.length).toBeGreaterThan(0);
});

const NEW_PHONE = { rounds: NEW_GUEST_ROUNDS, callers: NEW_GUESTS, isKeyed: false };

test(`R4.2-34 D124 ${NEW_GUESTS} first orders of one phone at once over two processes make one guest, and all are theirs`, {
  timeout: 600_000,
}, async () => {
  const begin = performance.now();
  const { answers, problems } = await runRounds(app, overTheWire, NEW_PHONE);
  const tally = tallyOf(answers);
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `R4.2-34: ${NEW_GUEST_ROUNDS} phones × ${NEW_GUESTS}: ${JSON.stringify(tally)}, ${problems.length} problems, ${seconds.toFixed(1)} s`,
  );
  expect(tally).toEqual({ made: NEW_GUEST_ROUNDS * NEW_GUESTS });
  expect(problems).toEqual([]);
});

test.each([
  ["without the unique phone", "drop index guests_phone", /"guests":([2-9]|\d\d)/],
  ["when its violation is not known as a race", "alter index guests_phone rename to guests_phone_of_old", /× 500/],
])("R4.2-34 planted fault: %s the same check finds it", async (name, damage, proof) => {
  const faulty = await startApp();
  await faulty.database.asOwner(damage);
  const venue = await openLab(faulty);
  const isDetected = (race: DuplicateRace) => race.problems.some((problem) => proof.test(problem));
  const { problems } = await repeatUntilDetected(
    () => runRounds(faulty, into(faulty, venue), { ...NEW_PHONE, callers: FAULTY_CALLERS, rounds: 1 }),
    isDetected,
  );
  await faulty.close();
  console.log(`R4.2-34 ${name}: ${problems.join("; ")}`);
  expect(problems.some((problem) => proof.test(problem))).toBe(true);
});
