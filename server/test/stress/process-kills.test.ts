/**
 * The promise we publish: a 2xx from the API means that the write and its events are on disk; no crash of any process loses or doubles one,
 * and the event feed sends each once; a receiver that is down affects no other.
 *
 * @long
 */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { API, createFleet, type Fleet, type Program, WORKER } from "../support/processes.ts";
import { repeatUntilDetected } from "../support/repeat-until-detected.ts";
import { SEED } from "../support/seeded-random.ts";
import { type CrashingPostgres, startCrashingPostgres } from "./process-kills/crashing-postgres.ts";
import { killsOf } from "./process-kills/killer.ts";
import { runScenario, type ScenarioResult } from "./process-kills/scenario.ts";

const IS_LONG = Boolean(process.env.TEST_KILLS ?? process.env.TEST_STRESS);
const KILLS = Number(process.env.TEST_KILLS ?? (IS_LONG ? 2400 : 20));
const SECONDS = Number(process.env.TEST_SECONDS ?? 3600);
/** The long form lasts for all its kills, and for ten minutes at least. */
const SECONDS_MIN = 600;
const POWER_CUT_SECONDS = 30;
const TIMEOUT_MS = (IS_LONG ? SECONDS + 300 : 300) * 1000;
const PLANTED_KILLS = 6;
const PLANTED_SECONDS = 8;
const PLANTED_RUNS_MAX = 3;

let postgres: CrashingPostgres;
let fleet: Fleet;

beforeAll(async () => {
  postgres = await startCrashingPostgres();
  fleet = await createFleet(postgres.database.appUrl, { SHUTDOWN_GRACE_MS: "0" });
  // A process that exits normally leaves its compile cache for those that are killed.
  if (IS_LONG) for (const program of [API, WORKER]) await (await fleet.start({}, program)).stop();
}, 120_000);
afterAll(async () => {
  // Whichever of them was reached.
  await (fleet as Fleet | undefined)?.close();
  await (postgres as CrashingPostgres | undefined)?.close();
});

const report = (name: string, { kills, counts, answers, stressSeconds, drainSeconds, ...found }: ScenarioResult): void => {
  const { lost, doubled, undelivered, wrong } = found;
  const rate = (killsOf(kills) / stressSeconds).toFixed(1);
  console.log(
    `${name}: TEST_SEED=${SEED} ${killsOf(kills)} kills in ${stressSeconds.toFixed(0)} s (${rate}/s): ${JSON.stringify(kills)}\n` +
      `  ${JSON.stringify(counts)}\n  lost ${lost.length}, doubled ${doubled.length}, undelivered ${undelivered.length}, ` +
      `wrong ${wrong.length}, drained in ${drainSeconds.toFixed(1)} s\n  answers ${JSON.stringify(answers)}`,
  );
  for (const problems of [lost, doubled, undelivered, wrong]) if (problems.length > 0) console.log(`  such as: ${problems[0]}`);
};

test(`T4.2 T9.5 up to ${KILLS} kills of servers, workers and PostgreSQL: nothing acknowledged is lost, nothing is doubled`, {
  timeout: TIMEOUT_MS,
}, async () => {
  const outcome = await runScenario({
    fleet,
    postgres,
    name: "stress",
    seed: SEED,
    venues: IS_LONG ? 3 : 1,
    killsMax: KILLS,
    atRandom: IS_LONG
      ? {
          secondsMax: SECONDS,
          secondsMin: Math.min(SECONDS_MIN, SECONDS),
          cutEverySeconds: POWER_CUT_SECONDS,
          prey: ["api", "worker"],
          isMoody: true,
        }
      : null,
  });
  report("process kills", outcome);
  const { lost, doubled, undelivered, wrong, counts, kills } = outcome;
  expect({ lost, doubled, undelivered, wrong }).toEqual({ lost: [], doubled: [], undelivered: [], wrong: [] });
  expect(counts.auditEntries).toBe(counts.acknowledged);
  expect(counts.orderEvents).toBe(counts.acknowledged);
  // A run without one unknown outcome, or without one message sent twice, would prove little.
  expect(counts.recovered).toBeGreaterThan(0);
  expect(counts.messages).toBeGreaterThan(counts.deliveries);
  expect(Math.min(kills.api, kills.worker, kills.database, kills.powerCuts)).toBeGreaterThan(0);
  const [damage] = await postgres.database.asOwner("select sum(checksum_failures)::integer as pages from pg_stat_database");
  expect(damage).toEqual({ pages: 0 });
});

const FAULTY_API: Program = { ...API, file: fileURLToPath(new URL("./process-kills/faulty-api.ts", import.meta.url)) };
const FAULTY_WORKER: Program = { ...WORKER, file: fileURLToPath(new URL("./process-kills/faulty-worker.ts", import.meta.url)) };

test.runIf(IS_LONG).each([
  {
    fault: "events are written after the commit",
    role: "api" as const,
    program: FAULTY_API,
    proof: ({ lost }: ScenarioResult) => lost.some((problem) => problem.startsWith("no event of")),
  },
  {
    fault: "a delivery is done before it is sent",
    role: "worker" as const,
    program: FAULTY_WORKER,
    proof: ({ undelivered }: ScenarioResult) => undelivered.some((problem) => problem.startsWith("done and never accepted")),
  },
])("planted fault: $fault, and the same scenario detects it", { timeout: 300_000 }, async ({ fault, role, program, proof }) => {
  let run = 0;
  const outcome = await repeatUntilDetected(
    () =>
      runScenario({
        fleet,
        postgres,
        name: `planted-${role}-${run}`,
        seed: SEED + 1000 * ++run,
        venues: 1,
        killsMax: PLANTED_KILLS,
        atRandom: { secondsMax: PLANTED_SECONDS, cutEverySeconds: null, prey: [role], isMoody: false },
        programs: { [role]: program },
      }),
    proof,
    PLANTED_RUNS_MAX,
  );
  report(fault, outcome);
  expect(proof(outcome)).toBe(true);
});
