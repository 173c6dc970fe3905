/** A pool whose statements a test may change on their way to the database: how faults are planted without touching the code. */
import pg from "pg";
import type { Config } from "../src/config.ts";
import { openPool } from "../src/db/pool.ts";
import { openLog } from "../src/deps.ts";

export type Statement = { text: string; name?: string; values?: unknown[] };

/** Gives back another statement, or null to let this one pass. Whoever must tell transactions apart looks at the connection. */
export type Plant = (statement: Statement, connection: object) => Statement | null;

const plantLookUp = (plant: Plant, query: pg.Query, client: object): pg.Query => {
  const statement = query as unknown as Statement;
  const planted = statement.text.includes("authenticate(") ? plant(statement, client) : null;
  if (planted) Object.assign(query, { name: undefined, values: [], ...planted });
  return query;
};

/** A begin without its locks on access. */
export const withoutAccessLocks = (text: string): string => text.replaceAll(/, lock_access\([^)]*\)/g, "");

export const plantedPool =
  (plant: Plant) =>
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
        if (first instanceof pg.Query) return send(plantLookUp(plant, first, client), ...rest);
        const statement = typeof first === "string" ? { text: first } : (first as Statement);
        return send(plant(statement, client) ?? first, ...rest);
      };
      client.query = planted as typeof client.query;
    });
    return pool;
  };
