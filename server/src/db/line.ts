/**
 * Reads that belong to no transaction. Those asked for at the same moment share a connection and leave in one write: the
 * token's look-up with what the token asks for, and with those of other requests. Each is a transaction of its own, bound
 * to its own tenant, and fails alone.
 */
import type pg from "pg";
import { gatherWrites, hangUp, isUnavailable, refuseChange } from "./pool.ts";
import { type Db, prepared, type Statement } from "./query.ts";
import { runSingle } from "./single-query.ts";

export type Line = {
  /** For what belongs to no tenant. */
  house: Db;
  tenant(id: number): Db;
};

type Errand = {
  run(client: pg.PoolClient): Promise<void>;
  reject(error: unknown): void;
  /** Was lost with a connection that a neighbour broke. */
  isSecond: boolean;
};

/** Answers come in the order of the questions, so a slow one holds up at most as many others. */
const SHARERS_MAX = 8;

export const openLine = (pool: pg.Pool): Line => {
  const waiting: Errand[] = [];
  let fetching = 0;
  /**
   * Whoever runs into a limit takes the connection with them, so that those behind do not wait for one limit after the other.
   * These are asked once more, each alone: a read may be, and it was not their fault.
   */
  const serve = async (client: pg.PoolClient, errands: readonly Errand[]): Promise<void> => {
    gatherWrites(client);
    let isLost = false;
    const settle = async (errand: Errand): Promise<void> => {
      try {
        await errand.run(client);
      } catch (error) {
        const isNeighbours = isLost && !errand.isSecond;
        if (isUnavailable(error) && isNeighbours) return void fetchConnection(() => [{ ...errand, isSecond: true }]);
        if (isUnavailable(error) && !isLost) {
          isLost = true;
          hangUp(client, error as Error);
        }
        errand.reject(error);
      }
    };
    await Promise.all(errands.map(settle));
    if (!isLost) client.release();
  };
  const fetchConnection = async (take: () => Errand[]): Promise<void> => {
    const client = await pool.connect().catch((error: unknown) => {
      for (const { reject } of take()) reject(error);
    });
    if (client) await serve(client, take());
  };
  const takeWaiting = (): Errand[] => {
    fetching -= 1;
    return waiting.splice(0, SHARERS_MAX);
  };
  const ask = <Row>(question: (client: pg.PoolClient) => Promise<Row[]>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ run: async (client) => resolve(await question(client)), reject, isSecond: false });
      // One place in the pool's queue for every so many: were there one for all, reads would starve behind writes.
      if (waiting.length <= fetching * SHARERS_MAX) return;
      fetching += 1;
      void fetchConnection(takeWaiting);
    });
  const readerFor = (tenantId: number | null): Db => ({
    query: <Row>(statement: Statement<Row>) => ask((client) => runSingle<Row>(client, prepared(statement), tenantId)),
    later: refuseChange,
  });
  return { house: readerFor(null), tenant: readerFor };
};
