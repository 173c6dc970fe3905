/**
 * The promise we publish: a 2xx from the API means that the write and its events are on disk; no crash of any process
 * loses or doubles one; a receiver that is down harms nobody else.
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Outcome, play } from "./kill-storm/play.ts";
import { type CrashingPostgres, startCrashingPostgres } from "./kill-storm/postgres.ts";
import { killsOf } from "./kill-storm/storm.ts";
import { API, createFleet, type Fleet, type Program, WORKER } from "./processes.ts";
import { SEED } from "./seed.ts";
import { untilGuilty } from "./until-guilty.ts";

const KILLS = Number(process.env.KILLS ?? (process.env.LONG ? 2400 : 500));
/** A start of a process costs a good half second of a core: the short form ends with the kills that fit. */
const SECONDS = Number(process.env.SECONDS ?? (process.env.KILLS || process.env.LONG ? 3600 : 45));
/** The long form is both: so many kills, and ten minutes of them. */
const SECONDS_MIN = process.env.KILLS || process.env.LONG ? 600 : 0;
const PLANTED_KILLS = 6;
const PLANTED_SECONDS = 12;
const PLANTED_RUNS_MAX = 3;

let postgres: CrashingPostgres;
let fleet: Fleet;

beforeAll(async () => {
  postgres = await startCrashingPostgres();
  fleet = await createFleet(postgres.database.appUrl, { DRAIN_MS: "0" });
  // Whoever ends by itself leaves compiled code behind for those who are killed.
  for (const program of [API, WORKER]) await (await fleet.start({}, program)).stop();
}, 120_000);
afterAll(async () => {
  // Whichever of them was reached.
  await (fleet as Fleet | undefined)?.close();
  await (postgres as CrashingPostgres | undefined)?.close();
});

const report = (name: string, { kills, counts, answers, stormSeconds, drainSeconds, ...found }: Outcome): void => {
  const { lost, doubled, undelivered, wrong } = found;
  const rate = (killsOf(kills) / stormSeconds).toFixed(1);
  console.log(
    `${name}: SEED=${SEED} ${killsOf(kills)} kills in ${stormSeconds.toFixed(0)} s (${rate}/s): ${JSON.stringify(kills)}\n` +
      `  ${JSON.stringify(counts)}\n  lost ${lost.length}, doubled ${doubled.length}, undelivered ${undelivered.length}, ` +
      `wrong ${wrong.length}, drained in ${drainSeconds.toFixed(1)} s\n  answers ${JSON.stringify(answers)}`,
  );
  for (const problems of [lost, doubled, undelivered, wrong]) if (problems.length > 0) console.log(`  such as: ${problems[0]}`);
};

test(`T5.1 T4.2 T9.5 up to ${KILLS} kills of servers, workers and PostgreSQL: nothing acknowledged is lost, nothing is doubled`, {
  timeout: (SECONDS + 300) * 1000,
}, async () => {
  const outcome = await play({
    fleet,
    postgres,
    name: "storm",
    seed: SEED,
    houses: 3,
    killsMax: KILLS,
    secondsMax: SECONDS,
    secondsMin: Math.min(SECONDS_MIN, SECONDS),
    cutEverySeconds: SECONDS_MIN > 0 ? 30 : 12,
    prey: ["api", "worker"],
    isMoody: true,
  });
  report("kill storm", outcome);
  const { lost, doubled, undelivered, wrong, counts, kills } = outcome;
  expect({ lost, doubled, undelivered, wrong }).toEqual({ lost: [], doubled: [], undelivered: [], wrong: [] });
  expect(counts.auditEntries).toBe(counts.acknowledged);
  expect(counts.orderEvents).toBe(counts.acknowledged);
  // A storm in which nothing was ever in doubt, or nothing sent twice, would prove little.
  expect(counts.recovered).toBeGreaterThan(0);
  expect(counts.messages).toBeGreaterThan(counts.deliveries);
  expect(Math.min(kills.api, kills.worker, kills.database, kills.powerCuts)).toBeGreaterThan(0);
  const [damage] = await postgres.database.asOwner("select sum(checksum_failures)::integer as pages from pg_stat_database");
  expect(damage).toEqual({ pages: 0 });
});

const FAULTY_API: Program = { ...API, file: fileURLToPath(new URL("./kill-storm/faulty-api.ts", import.meta.url)) };
const FAULTY_WORKER: Program = { ...WORKER, file: fileURLToPath(new URL("./kill-storm/faulty-worker.ts", import.meta.url)) };

test.each([
  {
    fault: "events are written after the commit",
    role: "api" as const,
    program: FAULTY_API,
    proof: ({ lost }: Outcome) => lost.some((problem) => problem.startsWith("no event of")),
  },
  {
    fault: "a delivery is done before it is sent",
    role: "worker" as const,
    program: FAULTY_WORKER,
    proof: ({ undelivered }: Outcome) => undelivered.some((problem) => problem.startsWith("done and never accepted")),
  },
])("T5.1 planted fault: $fault, and the same storm finds it out", { timeout: 300_000 }, async ({ fault, role, program, proof }) => {
  let run = 0;
  const outcome = await untilGuilty(
    () =>
      play({
        fleet,
        postgres,
        name: `planted-${role}-${run}`,
        seed: SEED + 1000 * ++run,
        houses: 1,
        killsMax: PLANTED_KILLS,
        secondsMax: PLANTED_SECONDS,
        cutEverySeconds: null,
        prey: [role],
        isMoody: false,
        programs: { [role]: program },
      }),
    proof,
    PLANTED_RUNS_MAX,
  );
  report(fault, outcome);
  expect(proof(outcome)).toBe(true);
});
