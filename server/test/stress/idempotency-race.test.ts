/**
 * Many identical POSTs at once over two processes, and processes that die in the middle: one effect for each key.
 */
import { randomUUID } from "node:crypto";
import { Agent } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { answerProblems, type CheckedAnswer } from "../../../conformance/answer-check.ts";
import { faultInjectingPool } from "../support/fault-injection.ts";
import { createFleet, type Fleet, type ServerProcess } from "../support/processes.ts";
import { sendCall } from "../support/raw-http.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { random, SEED } from "../support/seeded-random.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";

const IS_LONG = Boolean(process.env.TEST_STRESS);
const CALLERS = IS_LONG ? 100 : 50;
const ROUNDS = Number(process.env.TEST_ROUNDS ?? (IS_LONG ? 100 : 1));
const KILLS = Number(process.env.TEST_KILLS ?? (IS_LONG ? 100 : 2));
/** The writers get so many keys acknowledged before each kill. */
const KEYS_BEFORE_KILL = 20;
/** After so many more keys the writers of the short form rest until the next kill: a start needs what the machine has. */
const KEYS_AFTER_KILL = IS_LONG ? Number.POSITIVE_INFINITY : 20;
const DELAY_MS_MAX = IS_LONG ? 200 : 20;
const REPEATED_KEYS = IS_LONG ? 200 : 40;
const WRITERS = 6;

let app: TestApp;
let lab: TestVenue;
let fleet: Fleet;
let servers: ServerProcess[];
let plate: { id: number; category_id: number };

beforeAll(async () => {
  app = await startApp();
  lab = await app.venue("lab");
  const { data } = (await app.call(lab.token, "GET", "/items?per_page=100")).body;
  plate = data.find((item: { name: { en: string } }) => item.name.en === "Plain Plate");
  fleet = await createFleet(app.database.appUrl);
  servers = await Promise.all([fleet.start(), fleet.start()]);
});
afterAll(async () => {
  await fleet.close();
  await app.close();
});

/** Something that a POST makes, under a name of our choosing, and what the database must then hold of it. */
type Subject = { path: string; body(name: string): object; effects: string; events: number };
type Effect = { name: string; id: string; entries: number; events: number };

const DISH: Subject = {
  path: "/items",
  body: (name) => ({ category_id: plate.category_id, name, price_minor: 700 }),
  effects: "select id::text, name ->> 'en' as name from items",
  events: 0,
};

const ORDER: Subject = {
  path: "/orders",
  body: (name) => ({ type: "pickup", customer_name: name, customer_phone: "+1 555 0100", lines: [{ item_id: plate.id, quantity: 1 }] }),
  effects: "select id::text, customer_name as name from orders",
  events: 1,
};

/** What the database holds of everything so named: the thing itself, its audit entries and its events. */
const effectsOf = async (subject: Subject, prefix: string): Promise<Map<string, Effect[]>> => {
  const rows = await app.database.asOwner<Effect>(
    `with made as (select * from (${subject.effects}) x where starts_with(name, $1)),
       entries as (select subject_id as id, count(*)::integer as entries from audit_entries group by subject_id),
       told as (select body::jsonb #>> '{data,order,id}' as id, count(*)::integer as events from events group by 1)
     select name, id, coalesce(entries, 0) as entries, coalesce(events, 0) as events from made left join entries using (id) left join told using (id)`,
    [prefix],
  );
  return Map.groupBy(rows, ({ name }) => name);
};

const isOnce = (subject: Subject, [effect, ...more]: Effect[]): boolean =>
  effect?.entries === 1 && effect.events === subject.events && more.length === 0;

type PostKeyed = (subject: Subject, key: string, name: string) => Promise<CheckedAnswer>;

const postTo =
  (port: number, agent: Agent): PostKeyed =>
  async ({ path, body }, key, name) => {
    const call = { token: lab.token, method: "POST", path };
    const answer = await sendCall({ ...call, port, agent, headers: { "idempotency-key": key }, body: body(name) });
    const problems = answerProblems(call, answer);
    if (problems.length > 0) throw new TypeError(`POST ${path} → ${answer.status}: ${problems.join("; ")} ${answer.text}`);
    return answer;
  };

/** A process that is asked too much at once may refuse with 503: the caller comes back with the same key. */
type KeyTally = { made: number; replayed: number; inUse: number; busy: number; other: number };

const kindOf = ({ status, headers, text }: CheckedAnswer): keyof KeyTally => {
  if (status === 201) return headers.get("idempotent-replayed") === "true" ? "replayed" : "made";
  if (status === 503) return "busy";
  return status === 409 && text.includes('"idempotency_key_in_use"') ? "inUse" : "other";
};

/** What is wrong after a race; empty when each round had exactly one effect and every answer showed it. */
const runRace = async (subject: Subject, post: PostKeyed, rounds: number): Promise<{ tally: KeyTally; problems: string[] }> => {
  const prefix = `Stress ${randomUUID()}`;
  const tally: KeyTally = { made: 0, replayed: 0, inUse: 0, busy: 0, other: 0 };
  const problems: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const [key, name] = [randomUUID(), `${prefix} ${round}`];
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => post(subject, key, name)));
    for (const answer of answers) tally[kindOf(answer)]++;
    const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
    if (texts.size !== 1) problems.push(`round ${round}: ${texts.size} different answers`);
  }
  if (tally.made !== rounds) problems.push(`${tally.made} first answers in ${rounds} rounds`);
  if (tally.other > 0) problems.push(`${tally.other} answers that are none of 201, 409 and 503`);
  const effects = await effectsOf(subject, prefix);
  if (effects.size !== rounds) problems.push(`${effects.size} of ${rounds} have an effect`);
  for (const [name, found] of effects)
    if (!isOnce(subject, found)) problems.push(`${name}: ${found.length} effects ${JSON.stringify(found[0])}`);
  return { tally, problems };
};

test(`${CALLERS} identical POSTs at once over two processes have one effect, ${ROUNDS} times`, { timeout: 300_000 }, async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: CALLERS });
  for (const subject of [DISH, ORDER]) {
    const begin = performance.now();
    const { tally, problems } = await runRace(subject, postTo(fleet.port, agent), ROUNDS);
    const seconds = (performance.now() - begin) / 1000;
    console.log(`POST ${subject.path}: ${ROUNDS} rounds × ${CALLERS}: ${JSON.stringify(tally)}, ${seconds.toFixed(1)} s`);
    expect(problems).toEqual([]);
  }
  // The kernel distributes the connections; a race within one process alone would prove little.
  for (const server of servers) expect(server.output().split('"answered"').length).toBeGreaterThan(ROUNDS * 5);
  agent.destroy();
});

test("planted fault: without the lock the same race is detected", async () => {
  const lockless = faultInjectingPool((statement) =>
    statement.text.includes("pg_try_advisory_xact_lock")
      ? {
          ...statement,
          text: statement.text.replace(/pg_try_advisory_xact_lock\(\$1\)/, "($1::bigint is not null and pg_sleep(0.2) is not null)"),
        }
      : null,
  );
  const faulty = await startApp({ database: app.database, pool: lockless });
  const post: PostKeyed = ({ path, body }, key, name) =>
    faulty.call(lab.token, "POST", path, { body: body(name), headers: { "idempotency-key": key } });
  const proof = /[1-9]\d* effects|neither a 201/;
  const { tally, problems } = await repeatUntilDetected(
    () => runRace(DISH, post, 1),
    (race) => race.problems.some((problem) => proof.test(problem)),
  );
  await faulty.close();
  console.log(`without the lock: ${JSON.stringify(tally)}, ${problems.length} problems`);
  expect(tally.made + tally.other).toBeGreaterThan(1);
  expect(problems.some((problem) => proof.test(problem))).toBe(true);
});

type Acknowledged = { subject: Subject; name: string; id: string; text: string; tries: number };

/** As a careful client does it: the same key until there is an answer that says it is done. */
const writeUntilDone = async (post: PostKeyed, subject: Subject, name: string): Promise<Acknowledged> => {
  for (let tries = 1; ; tries++) {
    const answer = await post(subject, name, name).catch((error: unknown) => {
      if (error instanceof TypeError) throw error;
      return null;
    });
    if (answer?.status === 201) {
      const { id } = (answer.body as { data: { id: number | string } }).data;
      return { subject, name, id: String(id), text: answer.text, tries };
    }
    if (answer && answer.status !== 409 && answer.status !== 503) throw new Error(`${answer.status} ${answer.text}`);
    await sleep(20);
  }
};

/** Lists what differs between the answers to clients and the rows of the database. */
const lostOrDoubled = async (done: Map<string, Acknowledged>, prefix: string): Promise<unknown[]> => {
  const wrong: unknown[] = [];
  for (const subject of [DISH, ORDER]) {
    const effects = await effectsOf(subject, prefix);
    const told = [...done.values()].filter((write) => write.subject === subject);
    for (const { name, id } of told) if (effects.get(name)?.[0]?.id !== id) wrong.push(`${name} was acknowledged and is not there`);
    for (const [name, found] of effects) if (!isOnce(subject, found) || !done.has(name)) wrong.push({ name, found });
  }
  return wrong;
};

test(`up to ${KILLS} × kill -9 of one of two processes: every key is retried until it is done, and done once`, {
  timeout: 600_000,
}, async () => {
  console.log(`TEST_SEED=${SEED}`);
  const pick = random(SEED);
  const agent = new Agent({ keepAlive: true, maxSockets: WRITERS });
  const post = postTo(fleet.port, agent);
  const prefix = `Survivor ${randomUUID()}`;
  const done = new Map<string, Acknowledged>();
  let isOver = false;
  let keysMax = 0;
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let turn = 0; !isOver; turn++) {
      const name = `${prefix} ${writer}-${turn}`;
      done.set(name, await writeUntilDone(post, writer % 2 === 0 ? DISH : ORDER, name));
      // The machine must have something left to start processes with.
      do await sleep(15);
      while (done.size >= keysMax && !isOver);
    }
  });
  const begin = performance.now();
  const wasRetried = ({ tries }: Acknowledged): boolean => tries > 1;
  let kills = 0;
  // Again, when no answer was lost.
  for (; kills < KILLS || ![...done.values()].some(wasRetried); kills++) {
    const enough = done.size + KEYS_BEFORE_KILL;
    keysMax = enough + KEYS_AFTER_KILL;
    while (done.size < enough) await sleep(5);
    await sleep(pick(DELAY_MS_MAX));
    const victim = pick(2);
    await servers[victim]?.kill();
    servers[victim] = await fleet.start();
  }
  isOver = true;
  await Promise.all(writers);
  const seconds = (performance.now() - begin) / 1000;
  const retried = [...done.values()].filter(wasRetried);
  console.log(`${kills} kills, ${done.size} keys acknowledged, ${retried.length} of them after a retry, ${seconds.toFixed(1)} s`);
  expect(await lostOrDoubled(done, prefix)).toEqual([]);
  for (const { subject, name, text } of [...retried, ...done.values()].slice(0, REPEATED_KEYS)) {
    const again = await post(subject, name, name);
    expect([kindOf(again), again.text]).toEqual(["replayed", text]);
  }
  expect(retried.length).toBeGreaterThan(0);
  for (const server of servers) expect(await server.stop()).toBe(0);
  agent.destroy();
});
