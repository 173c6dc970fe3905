/**
 * Runs pure functions in a second thread, so that a large input does not keep the requests of others waiting. One piece of work runs at a
 * time, and venues take turns.
 *
 * The thread is
 * - absent: the next work starts it
 * - working: further work waits in the queue
 * - idle: it ends after `IDLE_MS` without work
 * - ended by a failure or by work that takes too long: that work is refused, and the next starts another thread
 */
import { Worker } from "node:worker_threads";
import { apiError } from "./errors.ts";
import { createFairQueue } from "./fair-queue.ts";

/** Each holds a connection to the database. */
const WAITING_MAX = 3;
const WAIT_MS_MAX = 4000;
/** The limit includes the wait. A transaction may be open meanwhile, and PostgreSQL ends one that is idle for ten seconds. */
const ALL_MS_MAX = 9000;
const IDLE_MS = 60_000;
const MEMORY_MB_MAX = 512;
const RETRY_SECONDS = "5";

/** A function that a module exports, and for which venue it runs. */
export type AsideWork = { module: URL; name: string; venue: number };
export type AsideAnswer = { value: unknown } | { fault: string };

const overloaded = () => apiError("service_unavailable", {}, { "Retry-After": RETRY_SECONDS });
const queue = createFairQueue({ concurrency: 1, waitingMax: WAITING_MAX, waitMsMax: WAIT_MS_MAX, refusal: overloaded });

let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

const endThread = (): void => {
  void thread?.terminate();
  thread = null;
};

const startThread = (): Worker => {
  const started = new Worker(new URL("./side-thread-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB_MAX },
    env: {},
  });
  // One that fails after its time was over must not end the process.
  started.on("error", () => undefined);
  started.unref();
  return started;
};

/** A thread that fails, or takes too long, is replaced by another one for the next work. */
const ask = (worker: Worker, { module, name }: AsideWork, argument: unknown, msMax: number): Promise<AsideAnswer> =>
  new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      worker.off("message", answer).off("error", fail).off("exit", stop);
      end();
    };
    const giveUp = (reason: Error): void =>
      settle(() => {
        endThread();
        reject(reason);
      });
    const timer = setTimeout(() => giveUp(overloaded()), msMax);
    const answer = (message: AsideAnswer): void => settle(() => resolve(message));
    const fail = (error: Error): void => giveUp(error);
    const stop = (): void => giveUp(overloaded());
    worker.once("message", answer).once("error", fail).once("exit", stop);
    worker.postMessage({ module: module.href, name, argument });
  });

export const runAside = async <T>(work: AsideWork, argument: unknown): Promise<T> => {
  const endMs = performance.now() + ALL_MS_MAX;
  return queue.run({ account: `venue ${work.venue}` }, async () => {
    clearTimeout(idle);
    thread ??= startThread();
    const answer = await ask(thread, work, argument, endMs - performance.now()).finally(() => {
      idle = setTimeout(endThread, IDLE_MS).unref();
    });
    if ("fault" in answer) throw new Error(answer.fault);
    return answer.value as T;
  });
};
