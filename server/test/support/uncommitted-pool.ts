/** A pool in which every transaction is rolled back where it would commit, and which reports the venues whose transactions began. */
import type pg from "pg";
import type { Config } from "../../src/config.ts";
import { faultInjectingPool } from "./fault-injection.ts";

type UncommittedPool = {
  open(config: Config): pg.Pool;
  /** Until then, and after `commit(true)`, transactions commit. */
  commit(isCommitting: boolean): void;
  /** Whether a transaction of this venue began since the last question. */
  hasBegun(restaurantId: number): boolean;
};

export const createUncommittedPool = (): UncommittedPool => {
  const begun = new Set<number>();
  let isCommitting = true;
  const open = (config: Config): pg.Pool => {
    const pool = faultInjectingPool(({ text }) => {
      const id = /^begin; select set_config\('app\.restaurant_id', '(\d+)'/.exec(text)?.[1];
      if (id !== undefined) begun.add(Number(id));
      return null;
    })(config);
    pool.on("connect", (client) => {
      const send = client.query.bind(client) as (...parameters: unknown[]) => Promise<pg.QueryResult>;
      const query = async (first: unknown, ...rest: unknown[]): Promise<unknown> =>
        // The application believes that it committed.
        ({ ...(await send("rollback", ...rest)), command: first });
      const sent = (first: unknown, ...rest: unknown[]): unknown =>
        first === "commit" && !isCommitting ? query("COMMIT", ...rest) : send(first, ...rest);
      client.query = sent as typeof client.query;
    });
    return pool;
  };
  return {
    open,
    commit(isNow) {
      isCommitting = isNow;
    },
    hasBegun: (restaurantId) => begun.delete(restaurantId),
  };
};
