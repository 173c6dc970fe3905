/** A thread beside the service that asks /livez all the time, and knows how much of the wait was for want of a core. */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { workerData } from "node:worker_threads";

/** Maxima, in milliseconds: the whole wait, and without the time in which one of the two threads was ready and had no core. */
export const FIELDS = ["livezMs", "livezOwnMs", "livezCount"] as const;
export type Measured = Record<(typeof FIELDS)[number], number>;

const EVERY_MS = 10;

/** How long this thread, and the main one, which has the number of its process, have waited for a core. Zero where the system does not tell. */
const queuedMs = (): number => {
  if (process.platform !== "linux") return 0;
  const files = ["/proc/thread-self/schedstat", `/proc/self/task/${process.pid}/schedstat`];
  return files.reduce((sum, file) => sum + Number(readFileSync(file, "utf8").split(" ")[1]) / 1e6, 0);
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
    const [begin, queued] = [performance.now(), queuedMs()];
    await ask(`${opsUrl}/livez`);
    const waited = performance.now() - begin;
    note("livezMs", waited);
    note("livezOwnMs", Math.max(0, waited - (queuedMs() - queued)));
    note("livezCount", count);
  }
};

if (workerData) void probe(workerData as Parameters<typeof probe>[0]);
