/** A pool whose statements a test may change on their way to the database: how faults are planted without touching the code. */
import pg from "pg";
import type { Config } from "../../src/config.ts";
import { openPool } from "../../src/db/pool.ts";
import { openLog } from "../../src/deps.ts";

export type SentStatement = { text: string; name?: string; values?: unknown[] };

/** Returns another statement, or null to let this one pass. The connection distinguishes transactions. */
export type InjectedFault = (statement: SentStatement, connection: object) => SentStatement | null;

const injectIntoLookup = (plant: InjectedFault, query: pg.Query, client: object): pg.Query => {
  const statement = query as unknown as SentStatement;
  const planted = statement.text.includes("authenticate(") ? plant(statement, client) : null;
  if (planted) Object.assign(query, { name: undefined, values: [], ...planted });
  return query;
};

/** A begin without its locks on access. */
export const withoutAccessLocks = (text: string): string => text.replaceAll(/, lock_access\([^)]*\)/g, "");

export const faultInjectingPool =
  (plant: InjectedFault) =>
  (config: Config): pg.Pool => {
    const pool = openPool({
      url: config.databaseUrl,
      connectionsMax: config.databaseConnectionsMax,
      log: openLog(config.logLevel),
    });
    pool.on("connect", (client) => {
      const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
      const planted = (first: unknown, ...rest: unknown[]) => {
        // Statements without a transaction come as query objects; they are left as they are, but for the token's look-up.
        if (first instanceof pg.Query) return send(injectIntoLookup(plant, first, client), ...rest);
        const statement = typeof first === "string" ? { text: first } : (first as SentStatement);
        return send(plant(statement, client) ?? first, ...rest);
      };
      client.query = planted as typeof client.query;
    });
    return pool;
  };
