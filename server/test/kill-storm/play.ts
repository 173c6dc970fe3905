/** One storm from the first order to the verdict: venues, clients and receivers, kills, a drain, the comparison. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { API, type Fleet, type Program, WORKER } from "../processes.ts";
import { random } from "../seed.ts";
import { type Clients, startClients } from "./clients.ts";
import { type Crew, gatherCrew, type Role } from "./crew.ts";
import { bringJobsForward, readBacklog, readHistory } from "./history.ts";
import { type House, type Listener, openHouses } from "./houses.ts";
import { judge, type Verdict } from "./judge.ts";
import type { CrashingPostgres } from "./postgres.ts";
import { type Kills, rage } from "./storm.ts";

const CLIENTS = 8;
/** Time that passes while the power is gone: three steps of the retry schedule. */
const DARK_MS = 35 * 60_000;
/** Keys are forgotten after a day, and clients must not live to see it. */
const AHEAD_MS_MAX = 12 * 60 * 60_000;
const DRAIN_SECONDS_MAX = 120;
const REPEATS = 100;

export type PlayWanted = {
  fleet: Fleet;
  postgres: CrashingPostgres;
  name: string;
  seed: number;
  houses: number;
  killsMax: number;
  secondsMax: number;
  secondsMin?: number;
  cutEverySeconds: number | null;
  prey: Role[];
  /** Whether receivers fail now and then, and one of them altogether for a while. */
  isMoody: boolean;
  programs?: Partial<Record<Role, Program>>;
};

export type Outcome = Verdict & {
  kills: Kills;
  /** How often each answer came. */
  answers: Record<string, number>;
  stormSeconds: number;
  drainSeconds: number;
};

/** One key for all storms: they share a database, and it refuses a key of the same name with other bytes. */
const secretKeys = `storm:${randomBytes(32).toString("base64")}`;

export const play = async (wanted: PlayWanted): Promise<Outcome> => {
  const { fleet, postgres, name, seed } = wanted;
  let aheadMs = 0;
  const nowMs = () => Date.now() + aheadMs;
  const houses = await openHouses({ database: postgres.database, secretKeys, name, count: wanted.houses, seed, nowMs });
  const environment = () => ({ SECRET_KEYS: secretKeys, AUTHORITY: houses.authority, AHEAD_MS: `${aheadMs}`, DEADLINE_MS: "2000" });
  const crew = await gatherCrew({ fleet, postgres, programs: { api: API, worker: WORKER, ...wanted.programs }, environment });
  const clients = startClients({ port: fleet.port, houses: houses.all, count: CLIENTS, seed, name });
  const moveClock = (toMs: number): void => {
    aheadMs = toMs;
  };
  try {
    const begin = performance.now();
    const kills = await rage({
      ...wanted,
      crew,
      pick: random(seed),
      whileDark: () => moveClock(Math.min(aheadMs + DARK_MS, AHEAD_MS_MAX)),
      onProgress: (share) => setMoods(houses.endpoints, wanted.isMoody ? share : 1),
    });
    await clients.finish();
    const stormEnd = performance.now();
    setMoods(houses.endpoints, 1);
    const drained = { crew, postgres, houses: houses.all, jumpTo: (moment: Date) => moveClock(moment.getTime() - Date.now() + 1000) };
    await drain(drained);
    const drainEnd = performance.now();
    await clients.serveOneMore();
    await drain(drained);
    const odd = [...(await repeatSome(clients)), ...(await dismissAll(crew)), ...crew.deserters];
    const verdict = judge(clients.log, await readHistory(postgres.database, houses.all), houses.all);
    return {
      ...verdict,
      wrong: [...verdict.wrong, ...odd],
      kills,
      answers: Object.fromEntries(clients.log.answers),
      stormSeconds: (stormEnd - begin) / 1000,
      drainSeconds: (drainEnd - stormEnd) / 1000,
    };
  } finally {
    clients.close();
    await houses.close();
  }
};

/** While the storm lasts some answers are bad, and in its second third the last receiver gives none at all. */
const setMoods = (listeners: Listener[], share: number): void => {
  for (const listener of listeners) listener.feel(share < 1 ? "moody" : "well");
  if (share > 1 / 3 && share < 2 / 3) listeners.at(-1)?.feel("dead");
};

type Drained = { crew: Crew; postgres: CrashingPostgres; houses: House[]; jumpTo(moment: Date): void };

/** Until nothing is on its way. What waits for its next attempt is not waited for: workers with a later clock take over. */
const drain = async ({ crew, postgres, houses, jumpTo }: Drained): Promise<void> => {
  const deadline = performance.now() + DRAIN_SECONDS_MAX * 1000;
  for (;;) {
    const { busy, waitsUntil, jobsLater } = await readBacklog(postgres.database, houses);
    const isEmpty = busy === 0 && waitsUntil === null && jobsLater === 0;
    // If it takes too long the judge says what is left.
    if (isEmpty || performance.now() > deadline) return;
    if (busy === 0 && jobsLater > 0) await bringJobsForward(postgres.database, houses);
    else if (busy === 0 && waitsUntil !== null) await relieveWorkers(crew, () => jumpTo(waitsUntil));
    else await sleep(100);
  }
};

const relieveWorkers = async (crew: Crew, meanwhile: () => void): Promise<void> => {
  const workers = crew.posts.filter(({ role }) => role === "worker");
  await Promise.all(workers.map((post) => crew.dismiss(post)));
  meanwhile();
  await Promise.all(workers.map((post) => crew.raise(post)));
};

/** Keys still know their answers: first of all those that were in doubt. */
const repeatSome = async (clients: Clients): Promise<string[]> => {
  const inDoubtFirst = clients.log.writes.toSorted((a, b) => b.unknown - a.unknown);
  const differences = await Promise.all(inDoubtFirst.slice(0, REPEATS).map((write) => clients.repeat(write)));
  return differences.filter((difference) => difference !== null);
};

const dismissAll = async (crew: Crew): Promise<string[]> => {
  const codes = await Promise.all(crew.posts.map(async (post) => ({ role: post.role, code: await crew.dismiss(post) })));
  return codes.filter(({ code }) => code !== 0).map(({ role, code }) => `a ${role} that was told to stop ended with ${code}`);
};
