/**
 * Reads that belong to no transaction. Those asked for at the same moment share a connection and leave in one write: the
 * token's look-up with what the token asks for, and with those of other requests. Each is a transaction of its own, bound
 * to its own tenant, and fails alone.
 */
import type pg from "pg";
import { lenderOf, placeFor, type Turn } from "./connections.ts";
import { gatherWrites, hangUp, isUnavailable, refuseChange } from "./pool.ts";
import { type Db, prepared, type Statement } from "./query.ts";
import { runSingle } from "./single-query.ts";

export type Line = {
  /** For what belongs to no tenant. */
  house: Db;
  tenant(id: number): Db;
};

/** A read that waits for its turn, or has it. */
type Errand = Turn & { run(client: pg.PoolClient): Promise<void> };

export const openLine = (pool: pg.Pool): Line => {
  const lender = lenderOf(pool);
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
        if (isUnavailable(error) && isLost) return askAlone(errand);
        if (isUnavailable(error)) {
          isLost = true;
          hangUp(client, error as Error);
        }
        errand.reject(error);
      } finally {
        lender.end(errand);
      }
    };
    await Promise.all(errands.map(settle));
    if (!isLost) client.release();
  };
  const askAlone = (errand: Errand): void => {
    const run = async (client: pg.PoolClient): Promise<void> => {
      const fault = await errand.run(client).then(
        () => null,
        (error: unknown) => error,
      );
      client.release(isUnavailable(fault ?? {}) ? (fault as Error) : undefined);
      if (fault !== null) errand.reject(fault);
    };
    lender.add({ ...errand, isShared: false, begin: (client) => void run(client) });
  };
  const ask = <Row>(tenantId: number | null, question: (client: pg.PoolClient) => Promise<Row[]>): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      const run = async (client: pg.PoolClient): Promise<void> => resolve(await question(client));
      const begin: Turn["begin"] = (client, turns) => void serve(client, turns as readonly Errand[]);
      const errand: Errand = { ...placeFor(tenantId), isShared: true, run, begin, reject };
      lender.add(errand);
    });
  const readerFor = (tenantId: number | null): Db => ({
    query: <Row>(statement: Statement<Row>) => ask(tenantId, (client) => runSingle<Row>(client, prepared(statement), tenantId)),
    later: refuseChange,
  });
  return { house: readerFor(null), tenant: readerFor };
};
