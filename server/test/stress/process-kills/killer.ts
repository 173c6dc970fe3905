/** Kills processes: each kind once, or one after the other by a seeded random, and now and then all of them at once, as a power cut does. */
import { setTimeout as sleep } from "node:timers/promises";
import type { CrashingPostgres } from "./crashing-postgres.ts";
import type { ProcessRole, SupervisedProcess, Supervisor } from "./supervisor.ts";

export type Kills = {
  api: number;
  worker: number;
  /** All of PostgreSQL at once, or one of its processes. */
  database: number;
  databaseProcess: number;
  /** Kills of everything together, which are counted above. */
  powerCuts: number;
  /** A restart is no kill, but every connection is lost. */
  databaseRestarts: number;
};

export type KillSettings = {
  crew: Supervisor;
  postgres: CrashingPostgres;
  pick(limit: number): number;
  /** Whom to kill. */
  prey: ProcessRole[];
  killsMax: number;
  secondsMax: number;
  /** Goes on for so long, whatever the number of kills; 0 unless given. */
  secondsMin?: number;
  /** How often the power goes; null: never. */
  cutEverySeconds: number | null;
  /** Runs while no process is alive. */
  whileDark(): void;
  /** How far the scenario is, from 0 to 1. */
  onProgress(share: number): void;
};

/** Long enough to have begun something. */
const AGE_MS_MIN = 120;
const GAP_MS_MAX = 160;
const DATABASE_ONE_IN = 8;
const LAST_OF_ROLE_ONE_IN = 8;

const noKills = (): Kills => ({ api: 0, worker: 0, database: 0, databaseProcess: 0, powerCuts: 0, databaseRestarts: 0 });

/** What the kill of a process interrupts. */
export type InterruptedWork = {
  isUnderWay(): boolean;
  /** How much of it has ended well. */
  done(): number;
  /** Whether a kill has interrupted it, and it was taken up again. */
  wasInterrupted(): boolean;
};

/** So much ends well after a kill before it counts as one that interrupted nothing. */
const DONE_AFTER_KILL = 30;
const LOOK_EVERY_MS = 5;

const come = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await sleep(LOOK_EVERY_MS);
};

export type EachKindSettings = Pick<KillSettings, "crew" | "postgres" | "pick" | "whileDark" | "killsMax"> & {
  work: Record<ProcessRole, InterruptedWork>;
};

/** A server and a worker while they are at work, again until a kill has interrupted something; a process of PostgreSQL; the power. */
export const killEachKind = async ({ work, ...wanted }: EachKindSettings): Promise<Kills> => {
  const { crew, postgres, pick, killsMax } = wanted;
  const kills = noKills();
  for (const role of ["api", "worker"] as const) {
    const { isUnderWay, done, wasInterrupted } = work[role];
    do {
      await come(isUnderWay);
      kills[role]++;
      await Promise.all(crew.posts.filter((post) => post.role === role).map((post) => crew.kill(post)));
      await crew.allReady();
      const enough = done() + DONE_AFTER_KILL;
      await come(() => wasInterrupted() || done() >= enough);
    } while (!wasInterrupted() && killsOf(kills) < killsMax);
  }
  await come(work.api.isUnderWay);
  kills.databaseProcess++;
  await postgres.killChild(pick);
  await come(work.api.isUnderWay);
  await cutPower(wanted, kills);
  await crew.allReady();
  return kills;
};

export const killsOf = ({ api, worker, database, databaseProcess }: Kills): number => api + worker + database + databaseProcess;

export const killAtRandom = async (wanted: KillSettings): Promise<Kills> => {
  const { crew, postgres, pick, prey, killsMax, secondsMax, secondsMin = 0, cutEverySeconds, onProgress } = wanted;
  const kills = noKills();
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  const cutEvery = cutEverySeconds ?? Number.POSITIVE_INFINITY;
  let nextCut = cutEvery;
  let isMerciless = false;
  for (let share = 0; share < 1; ) {
    await sleep(20 + pick(GAP_MS_MAX));
    const ripe = listKillable(crew, isMerciless).filter(({ role }) => prey.includes(role));
    const victim = ripe[pick(ripe.length)];
    if (seconds() >= nextCut) {
      await cutPower(wanted, kills);
      nextCut += cutEvery;
    } else if (victim && pick(DATABASE_ONE_IN) === 0 && postgres.isUp()) crashDatabase(postgres, pick, kills);
    else if (victim) {
      kills[victim.role]++;
      isMerciless = pick(LAST_OF_ROLE_ONE_IN) === 0;
      await crew.kill(victim);
    }
    share = Math.max(Math.min(killsOf(kills) / killsMax, seconds() / secondsMin), seconds() / secondsMax);
    onProgress(share);
  }
  await postgres.ready();
  await crew.allReady();
  return kills;
};

/**
 * Processes that have run for a moment. The last of its role is mostly spared until the next is ready: a start takes
 * seconds on a busy machine, and without a running process nothing is at risk.
 */
const listKillable = ({ posts }: Supervisor, isMerciless: boolean): SupervisedProcess[] => {
  const ready = posts.filter(({ current }) => current !== null);
  const isLast = ({ role }: SupervisedProcess): boolean => ready.filter((other) => other.role === role).length === 1;
  return ready.filter((post) => performance.now() - post.readySince > AGE_MS_MIN && (isMerciless || !isLast(post)));
};

/** The recovery is not awaited: the scenario goes on meanwhile. */
const crashDatabase = (postgres: CrashingPostgres, pick: (limit: number) => number, kills: Kills): void => {
  const kind = (["database", "databaseProcess", "databaseRestarts"] as const)[pick(3)] ?? "database";
  kills[kind]++;
  const recovery = kind === "databaseProcess" ? postgres.killChild(pick) : postgres.restart(kind === "database" ? "immediate" : "fast");
  recovery.catch(() => undefined);
};

const cutPower = async (
  { crew, postgres, whileDark }: Pick<KillSettings, "crew" | "postgres" | "whileDark">,
  kills: Kills,
): Promise<void> => {
  await crew.allReady();
  await postgres.ready();
  const dark = Promise.withResolvers<void>();
  const crash = postgres.restart("immediate");
  await Promise.all(crew.posts.map((post) => crew.kill(post, dark.promise)));
  for (const { role } of crew.posts) kills[role]++;
  kills.database++;
  kills.powerCuts++;
  await crash;
  whileDark();
  dark.resolve();
};
