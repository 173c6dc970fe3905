/**
 * Shows other workers that this process is alive, by a lock that its own session holds: PostgreSQL releases it when the process or its
 * connection ends. A pooler in transaction mode would break it.
 */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { connectToPrimary } from "./primary-server.ts";

/** The class of the workers' advisory locks. `claim_endpoints` reads it. */
export const WORKER_LOCK_CLASS = 7_262_663;
const NUMBER_MAX = 2 ** 31 - 1;
const AGAIN_AFTER_MS = 500;

export type WorkerLock = {
  /** The number that identifies this worker; null while the lock is not held. */
  number(): number | null;
  close(): Promise<void>;
};

export const holdWorkerLock = (url: string, log: Logger): WorkerLock => {
  let current: { client: pg.Client; number: number } | null = null;
  let isClosing = false;
  const hold = async (): Promise<void> => {
    const client = await connectToPrimary(url, { keepAlive: true, connectionTimeoutMillis: 2000 });
    const gone = new Promise<void>((resolve) => {
      // A lost connection may raise several errors, and one without a listener would end the process.
      client.on("error", () => resolve());
      client.once("end", () => resolve());
    });
    const number = randomInt(1, NUMBER_MAX);
    const { rows } = await client.query<{ held: boolean }>("select pg_try_advisory_lock($1::integer, $2::integer) as held", [
      WORKER_LOCK_CLASS,
      number,
    ]);
    if (!rows[0]?.held) return client.end();
    current = { client, number };
    // `close` was called while the lock was taken.
    if (isClosing) void client.end();
    await gone;
    current = null;
    if (!isClosing) log.warn("the worker's own connection was lost; it opens another");
  };
  const keep = (async () => {
    while (!isClosing) {
      await hold().catch((error: unknown) => log.warn({ err: error }, "the worker's own connection could not be opened"));
      if (!isClosing) await sleep(AGAIN_AFTER_MS);
    }
  })();
  return {
    number: () => current?.number ?? null,
    async close() {
      isClosing = true;
      await current?.client.end();
      await keep;
    },
  };
};
