/**
 * Says that this process is alive, by a lock that its own session holds: PostgreSQL lets go of it the moment the process
 * or its connection is gone. It needs a session of its own, so not a pooler that shares them between transactions.
 */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Logger } from "pino";
import { connectToPrimary } from "./primary.ts";

/** The class of locks by which workers see each other, and that `claim_lanes` looks for. */
export const WORKER_LOCK_CLASS = 7_262_663;
const NUMBER_MAX = 2 ** 31 - 1;
const AGAIN_AFTER_MS = 500;

export type Presence = {
  /** The number that others see; null while nobody can know that we are here. */
  number(): number | null;
  close(): Promise<void>;
};

export const holdPresence = (url: string, log: Logger): Presence => {
  let current: { client: pg.Client; number: number } | null = null;
  let isClosing = false;
  const hold = async (): Promise<void> => {
    const client = await connectToPrimary(url, { keepAlive: true, connectionTimeoutMillis: 2000 });
    const gone = new Promise<void>((resolve) => {
      // A lost connection may raise more than one error, and one that nobody listens to would end the process.
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
    // Closed while the lock was being taken.
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
