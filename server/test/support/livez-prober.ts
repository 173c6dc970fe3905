/** A thread beside the service that asks /livez all the time, and knows how much of the wait was for want of a core. */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";

/** Maxima, in milliseconds: the whole wait, and without the time in which one of the two threads was ready and had no core. */
export const FIELDS = ["livezMs", "livezOwnMs", "livezCount"] as const;
export type Measured = Record<(typeof FIELDS)[number], number>;

const EVERY_MS = 10;

type ThreadTimes = { workedMs: number; queuedMs: number };

/** How long a thread has worked, and has waited for a core. Zero where the system does not report it. */
const timesOf = (thread: string): ThreadTimes => {
  if (process.platform !== "linux") return { workedMs: 0, queuedMs: 0 };
  const [workedMs = 0, queuedMs = 0] = readFileSync(`/proc/${thread}/schedstat`, "utf8")
    .split(" ")
    .map((ns) => Number(ns) / 1e6);
  return { workedMs, queuedMs };
};

/** The main thread, which has the number of its process, and this one. */
const bothTimes = (): { main: ThreadTimes; queuedMs: number } => {
  const main = timesOf(`self/task/${process.pid}`);
  return { main, queuedMs: main.queuedMs + timesOf("thread-self").queuedMs };
};

const agent = new Agent({ keepAlive: true });
const ask = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    get(url, { agent }, (response) => response.resume().once("end", resolve)).once("error", reject);
  });

const probe = async ({ opsUrl, seen }: { opsUrl: string; seen: Float64Array }): Promise<void> => {
  const note = (name: (typeof FIELDS)[number], value: number): void => {
    const index = FIELDS.indexOf(name);
    seen[index] = Math.max(seen[index] ?? 0, value);
  };
  for (let count = 1; ; count++) {
    await sleep(EVERY_MS);
    const [begin, before] = [performance.now(), bothTimes()];
    await ask(`${opsUrl}/livez`);
    const [waited, after] = [performance.now() - begin, bothTimes()];
    note("livezMs", waited);
    // Both threads may have waited for a core at once: the wait was no shorter than the work of the main one.
    note("livezOwnMs", Math.max(after.main.workedMs - before.main.workedMs, waited - (after.queuedMs - before.queuedMs)));
    note("livezCount", count);
  }
};

if (workerData) void probe(workerData as Parameters<typeof probe>[0]);
