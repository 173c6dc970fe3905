/** Kills, one after the other by a seeded chance, and now and then the power goes for the whole house. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Crew, Post, Role } from "./crew.ts";
import type { CrashingPostgres } from "./postgres.ts";

export type Kills = {
  api: number;
  worker: number;
  /** All of PostgreSQL at once, or one of its processes. */
  database: number;
  databaseProcess: number;
  /** Kills of everything together, which are counted above. */
  powerCuts: number;
  /** Not a kill, but every connection is lost. */
  databaseRestarts: number;
};

export type StormWanted = {
  crew: Crew;
  postgres: CrashingPostgres;
  pick(limit: number): number;
  /** Whom to kill. */
  prey: Role[];
  killsMax: number;
  secondsMax: number;
  /** Goes on for so long, whatever the number of kills; 0 unless given. */
  secondsMin?: number;
  /** How often the power goes; null: never. */
  cutEverySeconds: number | null;
  /** While everything is dark. */
  whileDark(): void;
  /** How far the storm is, from 0 to 1. */
  onProgress(share: number): void;
};

/** Long enough to have begun something. */
const AGE_MS_MIN = 120;
const GAP_MS_MAX = 160;
const DATABASE_ONE_IN = 8;
const MERCILESS_ONE_IN = 8;

export const killsOf = ({ api, worker, database, databaseProcess }: Kills): number => api + worker + database + databaseProcess;

export const rage = async (wanted: StormWanted): Promise<Kills> => {
  const { crew, postgres, pick, prey, killsMax, secondsMax, secondsMin = 0, cutEverySeconds, onProgress } = wanted;
  const kills: Kills = { api: 0, worker: 0, database: 0, databaseProcess: 0, powerCuts: 0, databaseRestarts: 0 };
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  const cutEvery = cutEverySeconds ?? Number.POSITIVE_INFINITY;
  let nextCut = cutEvery;
  let isMerciless = false;
  for (let share = 0; share < 1; ) {
    await sleep(20 + pick(GAP_MS_MAX));
    const ripe = listRipe(crew, isMerciless).filter(({ role }) => prey.includes(role));
    const victim = ripe[pick(ripe.length)];
    if (seconds() >= nextCut) {
      await cutPower(wanted, kills);
      nextCut += cutEvery;
    } else if (victim && pick(DATABASE_ONE_IN) === 0 && postgres.isUp()) crashDatabase(postgres, pick, kills);
    else if (victim) {
      kills[victim.role]++;
      isMerciless = pick(MERCILESS_ONE_IN) === 0;
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
 * Whoever has been at work for a moment. The last of its role is mostly spared until the next is there: a start takes
 * seconds on a busy machine, and a storm in which nobody serves puts nothing at risk.
 */
const listRipe = ({ posts }: Crew, isMerciless: boolean): Post[] => {
  const ready = posts.filter(({ current }) => current !== null);
  const isLast = ({ role }: Post): boolean => ready.filter((other) => other.role === role).length === 1;
  return ready.filter((post) => performance.now() - post.readySince > AGE_MS_MIN && (isMerciless || !isLast(post)));
};

/** Nobody waits for it: the storm goes on while it recovers. */
const crashDatabase = (postgres: CrashingPostgres, pick: (limit: number) => number, kills: Kills): void => {
  const kind = (["database", "databaseProcess", "databaseRestarts"] as const)[pick(3)] ?? "database";
  kills[kind]++;
  const recovery = kind === "databaseProcess" ? postgres.killChild(pick) : postgres.restart(kind === "database" ? "immediate" : "fast");
  recovery.catch(() => undefined);
};

const cutPower = async ({ crew, postgres, whileDark }: StormWanted, kills: Kills): Promise<void> => {
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
