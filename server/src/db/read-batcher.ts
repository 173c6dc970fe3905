/**
 * Batches reads outside of transactions. Reads of one tick share a connection and leave in one write: the token check with the read it
 * authorizes, and reads of other requests. Each is a transaction of its own, bound to its own tenant, and fails alone.
 */
import type pg from "pg";
import { queueEntryFor, type ScheduledWork, schedulerOf } from "./connection-scheduler.ts";
import { corkUntilNextTick, destroy, isUnavailable, OUTSIDE_TRANSACTION } from "./pool.ts";
import { type Db, prepared, type Statement } from "./query.ts";
import { runSingle } from "./single-query.ts";

export type ReadBatcher = {
  /** Reads rows that belong to no tenant. */
  global: Db;
  tenant(id: number): Db;
};

/** A read that waits for a connection or uses one. */
type QueuedRead = ScheduledWork & { run(client: pg.PoolClient): Promise<void> };

/** `run` is another one in benchmarks only. */
export const createReadBatcher = (pool: pg.Pool, run: typeof runSingle = runSingle): ReadBatcher => {
  const lender = schedulerOf(pool);
  /**
   * A read that hits a timeout destroys the connection, so that the reads behind it do not run into one timeout after the other. They
   * are repeated once, each on its own connection: repeating a read is safe.
   */
  const serve = async (client: pg.PoolClient, reads: readonly QueuedRead[]): Promise<void> => {
    corkUntilNextTick(client);
    let isLost = false;
    const settle = async (read: QueuedRead): Promise<void> => {
      try {
        await read.run(client);
      } catch (error) {
        if (isUnavailable(error) && isLost) return askAlone(read);
        if (isUnavailable(error)) {
          isLost = true;
          destroy(client, error as Error);
        }
        read.reject(error);
      } finally {
        lender.end(read);
      }
    };
    await Promise.all(reads.map(settle));
    if (!isLost) client.release();
  };
  const askAlone = (read: QueuedRead): void => {
    const run = async (client: pg.PoolClient): Promise<void> => {
      const fault = await read.run(client).then(
        () => null,
        (error: unknown) => error,
      );
      client.release(isUnavailable(fault ?? {}) ? (fault as Error) : undefined);
      if (fault !== null) read.reject(fault);
    };
    lender.add({ ...read, isShared: false, begin: (client) => void run(client) });
  };
  const ask = <Row>(tenantId: number | null, question: (client: pg.PoolClient) => Promise<Row[]>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const answer = async (client: pg.PoolClient): Promise<void> => resolve(await question(client));
      const begin: ScheduledWork["begin"] = (client, turns) => void serve(client, turns as readonly QueuedRead[]);
      const read: QueuedRead = { ...queueEntryFor(tenantId), isShared: true, run: answer, begin, reject };
      lender.add(read);
    });
  const readerFor = (tenantId: number | null): Db => ({
    query: <Row>(statement: Statement<Row>) => ask(tenantId, (client) => run<Row>(client, prepared(statement), tenantId)),
    ...OUTSIDE_TRANSACTION,
  });
  return { global: readerFor(null), tenant: readerFor };
};
