/** One scenario from the first order to the verification: venues, clients and receivers, kills, a drain, the comparison. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { API, type Fleet, type Program, WORKER } from "../../support/processes.ts";
import { random } from "../../support/seeded-random.ts";
import { type KillClients, startClients } from "./clients.ts";
import type { CrashingPostgres } from "./crashing-postgres.ts";
import { startFollowers } from "./feed-followers.ts";
import { type EventReceiver, type KillVenue, openKillFixtures } from "./fixtures.ts";
import { type InterruptedWork, type Kills, killAtRandom, killEachKind } from "./killer.ts";
import { bringJobsForward, readHistory, readPendingWork } from "./stored-history.ts";
import { type ProcessRole, type Supervisor, startSupervisor } from "./supervisor.ts";
import { type Verification, verify } from "./verifier.ts";

/** When each kind of kill comes once, few are enough to have something under way. */
const CLIENTS = { atRandom: 8, eachKind: 3 };
/** Time that passes while the power is gone: three steps of the retry schedule. */
const POWER_CUT_MS = 35 * 60_000;
/** Idempotency keys expire after a day, and the clock must not move that far during a scenario. */
const AHEAD_MS_MAX = 12 * 60 * 60_000;
const DRAIN_SECONDS_MAX = 120;
const REPEATS = 100;

export type ScenarioSettings = {
  fleet: Fleet;
  postgres: CrashingPostgres;
  name: string;
  seed: number;
  venues: number;
  killsMax: number;
  /** Null: each kind of kill, while a server and a worker are at work. */
  atRandom: RandomKills | null;
  programs?: Partial<Record<ProcessRole, Program>>;
};

export type RandomKills = {
  secondsMax: number;
  secondsMin?: number;
  cutEverySeconds: number | null;
  prey: ProcessRole[];
  /** Whether receivers fail now and then, and one of them altogether for a while. */
  isMoody: boolean;
};

export type ScenarioResult = Verification & {
  kills: Kills;
  /** How often each answer came. */
  answers: Record<string, number>;
  stressSeconds: number;
  drainSeconds: number;
};

/** One key for all scenarios: they share a database, and it refuses a key of the same name with other bytes. */
const encryptionKeys = `stress:${randomBytes(32).toString("base64")}`;

export const runScenario = async (wanted: ScenarioSettings): Promise<ScenarioResult> => {
  const { fleet, postgres, name, seed, atRandom } = wanted;
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const fixtures = await openKillFixtures({ database: postgres.database, encryptionKeys, name, count: wanted.venues, seed, nowMs });
  const environment = () => ({
    ENCRYPTION_KEYS: encryptionKeys,
    AUTHORITY: fixtures.authority,
    AHEAD_MS: `${aheadMs}`,
    DEADLINE_MS: "2000",
  });
  const crew = await startSupervisor({
    fleet,
    postgres,
    programs: { api: API, worker: WORKER, ...wanted.programs },
    environment,
    ...(atRandom ? {} : { processes: ["api", "worker"] }),
  });
  const clients = startClients({
    port: fleet.port,
    venues: fixtures.all,
    count: atRandom ? CLIENTS.atRandom : CLIENTS.eachKind,
    seed,
    name,
  });
  const followers = startFollowers(fleet.port, fixtures.all);
  const moveClock = (toMs: number): void => {
    aheadMs = toMs;
  };
  try {
    const begin = performance.now();
    const settings = {
      crew,
      postgres,
      killsMax: wanted.killsMax,
      pick: random(seed),
      whileDark: () => moveClock(Math.min(aheadMs + POWER_CUT_MS, AHEAD_MS_MAX)),
    };
    for (const endpoint of fixtures.endpoints) endpoint.feel(atRandom ? "well" : "slow");
    const kills = atRandom
      ? await killAtRandom({
          ...settings,
          ...atRandom,
          onProgress: (share) => setReceiverStates(fixtures.endpoints, atRandom.isMoody ? share : 1),
        })
      : await killEachKind({ ...settings, work: workOf(clients, fixtures.endpoints) });
    await clients.finish();
    const stressEnd = performance.now();
    setReceiverStates(fixtures.endpoints, 1);
    const drained = { crew, postgres, venues: fixtures.all, jumpTo: (moment: Date) => moveClock(moment.getTime() - Date.now() + 1000) };
    await drain(drained);
    const drainEnd = performance.now();
    await clients.serveOneMore();
    await drain(drained);
    const repeated = await repeatSome(clients);
    const told: Pick<Verification, "lost" | "doubled" | "wrong"> = { lost: [], doubled: [], wrong: [] };
    await followers.verify(told, async () => (await readHistory(postgres.database, fixtures.all)).events);
    const odd = [...repeated, ...told.wrong, ...(await stopAll(crew)), ...crew.deserters];
    const verdict = verify(clients.log, await readHistory(postgres.database, fixtures.all), fixtures.all);
    return {
      ...verdict,
      lost: [...verdict.lost, ...told.lost],
      doubled: [...verdict.doubled, ...told.doubled],
      wrong: [...verdict.wrong, ...odd],
      kills,
      answers: Object.fromEntries(clients.log.answers),
      stressSeconds: (stressEnd - begin) / 1000,
      drainSeconds: (drainEnd - stressEnd) / 1000,
    };
  } finally {
    clients.close();
    followers.close();
    await fixtures.close();
  }
};

const workOf = ({ log }: KillClients, endpoints: EventReceiver[]): Record<ProcessRole, InterruptedWork> => ({
  api: {
    isUnderWay: () => log.open > 0,
    done: () => log.writes.length,
    wasInterrupted: () => log.writes.some(({ unknown }) => unknown > 0),
  },
  worker: {
    isUnderWay: () => endpoints.some((endpoint) => endpoint.isAwaited()),
    done: () => endpoints.reduce((sum, { receipts }) => sum + receipts.length, 0),
    wasInterrupted: () => endpoints.some(({ receipts }) => new Set(receipts.map(({ eventId }) => eventId)).size < receipts.length),
  },
});

/** During the kills some answers are failures, and in the second third the last receiver does not answer at all. */
const setReceiverStates = (listeners: EventReceiver[], share: number): void => {
  for (const listener of listeners) listener.feel(share < 1 ? "moody" : "well");
  if (share > 1 / 3 && share < 2 / 3) listeners.at(-1)?.feel("dead");
};

type DrainContext = { crew: Supervisor; postgres: CrashingPostgres; venues: KillVenue[]; jumpTo(moment: Date): void };

/** Until nothing is on its way. What waits for its next attempt is not waited for: workers with a later clock take over. */
const drain = async ({ crew, postgres, venues, jumpTo }: DrainContext): Promise<void> => {
  const deadline = performance.now() + DRAIN_SECONDS_MAX * 1000;
  for (;;) {
    const { busy, waitsUntil, jobsLater } = await readPendingWork(postgres.database, venues);
    const isEmpty = busy === 0 && waitsUntil === null && jobsLater === 0;
    // If it takes too long the judge says what is left.
    if (isEmpty || performance.now() > deadline) return;
    if (busy === 0 && jobsLater > 0) await bringJobsForward(postgres.database, venues);
    else if (busy === 0 && waitsUntil !== null) await replaceWorkers(crew, () => jumpTo(waitsUntil));
    else await sleep(100);
  }
};

const replaceWorkers = async (crew: Supervisor, meanwhile: () => void): Promise<void> => {
  const workers = crew.posts.filter(({ role }) => role === "worker");
  await Promise.all(workers.map((post) => crew.dismiss(post)));
  meanwhile();
  await Promise.all(workers.map((post) => crew.raise(post)));
};

/** Keys still know their answers: first of all those that were in doubt. */
const repeatSome = async (clients: KillClients): Promise<string[]> => {
  const inDoubtFirst = clients.log.writes.toSorted((a, b) => b.unknown - a.unknown);
  const differences = await Promise.all(inDoubtFirst.slice(0, REPEATS).map((write) => clients.repeat(write)));
  return differences.filter((difference) => difference !== null);
};

const stopAll = async (crew: Supervisor): Promise<string[]> => {
  const codes = await Promise.all(crew.posts.map(async (post) => ({ role: post.role, code: await crew.dismiss(post) })));
  return codes.filter(({ code }) => code !== 0).map(({ role, code }) => `a ${role} that was told to stop ended with ${code}`);
};
