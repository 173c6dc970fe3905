/** Connections; single statements and transactions for a tenant. Reads that share a connection are in `line.ts`. */
import type { Writable } from "node:stream";
import pg from "pg";
import type { Logger } from "pino";
import { type AccessLock, lockCalls } from "./access.ts";
import { lenderOf } from "./connections.ts";
import { forgetUnconfirmed, IS_READ_ONLY, openPrimary, READ_ONLY, refuseReadOnly, refuseUnconfirmed, watchPrimary } from "./primary.ts";
import { type Db, prepared, type Statement } from "./query.ts";
import { runSingle, SET_TENANT } from "./single-query.ts";
import { parserOf } from "./types.ts";

const types: pg.CustomTypesConfig = { getTypeParser: parserOf as pg.CustomTypesConfig["getTypeParser"] };

export type PoolOptions = {
  url: string;
  connectionsMax: number;
  log: Logger;
  statementTimeoutMs?: number;
  /** Runs on every new connection before its first use; a connection that it refuses is not used. */
  onConnect?: (client: pg.ClientBase) => Promise<void>;
};

/**
 * Sent after connecting and not with the startup message: a pooler would refuse such a message, or ignore the settings in it.
 * Compiling pays for statements that run for seconds. Ours do not, and wrong figures about a table would set it off.
 */
const sessionSettings = (statementTimeoutMs: number): string =>
  `set search_path = app; set timezone = 'UTC'; set jit = off; set statement_timeout = ${statementTimeoutMs}; set lock_timeout = 2000; set idle_in_transaction_session_timeout = 10000`;

export const openPool = ({ url, connectionsMax, log, statementTimeoutMs = 5000, onConnect }: PoolOptions): pg.Pool => {
  const { Client, forget } = openPrimary(url);
  const session = `${sessionSettings(statementTimeoutMs)}; ${IS_READ_ONLY}`;
  const pool = new pg.Pool({
    Client,
    // Statements are sent without waiting for the answer to the one before; answers come in the same order.
    pipeline: true,
    max: connectionsMax,
    types,
    connectionTimeoutMillis: 2000,
    maxLifetimeSeconds: 1800,
    onConnect: (async (client: pg.ClientBase) => {
      // SET_TENANT is parsed here, before first use: a SingleQuery then never has two statements to parse at once.
      const [results] = await Promise.all([client.query(session), client.query({ ...SET_TENANT, values: [""] }), onConnect?.(client)]);
      refuseReadOnly((results as unknown as pg.QueryResult<{ is_read_only: boolean }>[]).at(-1)?.rows ?? [], forget);
    }) as (client: pg.ClientBase) => void,
  });
  // Both are needed: a killed backend raises 'error' on an idle client through the pool, on a busy one directly.
  // The pool hangs the whole connection on its error, with its cancel key: only the reason is for the log.
  pool.on("error", (error: Error & { code?: string }) =>
    log.warn({ err: { message: error.message, code: error.code } }, "an idle database connection was lost"),
  );
  pool.on("connect", (client) => client.on("error", (error) => log.warn({ err: error }, "a database connection was lost")));
  watchPrimary(pool, forget);
  return pool;
};

export const refuseChange = (): never => {
  throw new Error("A change needs a transaction");
};

const streamOf = (client: pg.ClientBase): Writable => (client as unknown as { connection: { stream: Writable } }).connection.stream;

/** What is sent until this turn of the event loop ends leaves in one write: each is a call to the kernel and a waking of PostgreSQL. */
export const gatherWrites = (client: pg.ClientBase): void => {
  const stream = streamOf(client);
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
};

/** Out of the pool at once. By itself `pg` would first wait for the answer to everything that was sent. */
export const hangUp = (client: pg.PoolClient, reason: Error): void => {
  client.release(reason);
  streamOf(client).destroy();
};

/** A door for one tenant without a transaction around it: for reads of one statement, one round trip each. */
export const tenantDb = (pool: pg.Pool, tenantId: number): Db => ({
  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await lenderOf(pool).connect(tenantId);
    try {
      const rows = await runSingle<Row>(client, prepared(statement), tenantId);
      client.release();
      return rows;
    } catch (error) {
      client.release(isUnavailable(error) ? (error as Error) : undefined);
      throw error;
    }
  },
  later: refuseChange,
});

/** A door that belongs to no tenant: it reaches only what is granted to everybody. */
export const openDb = (pool: pg.Pool): Db => ({
  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await lenderOf(pool).connect(null);
    try {
      const { rows } = await client.query(prepared(statement));
      client.release();
      return rows as Row[];
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  },
  later: refuseChange,
});

export type Transaction = {
  db: Db;
  /**
   * The database's clock, read after the transaction had begun and held its locks. A reader that leaves out rows newer than the oldest
   * running transaction therefore never overlooks one that is committed late.
   */
  startedAt: Promise<Date>;
};

/**
 * Runs `work` in one transaction bound to the tenant. Begin travels with the first statement, and the commit with the
 * changes that nobody waited for. A venue that is just moving to another cell refuses it (`enter_venue`). `access` is locked with the begin.
 */
export const transaction = async <T>(
  pool: pg.Pool,
  tenantId: number,
  work: (transaction: Transaction) => Promise<T>,
  access: readonly AccessLock[] = [],
): Promise<T> => {
  if (!Number.isSafeInteger(tenantId)) throw new TypeError("A tenant id is an integer");
  const client = await lenderOf(pool).connect(tenantId);
  forgetUnconfirmed(client);
  const sent: Promise<unknown>[] = [];
  const send = <R>(query: () => Promise<R>): Promise<R> => {
    gatherWrites(client);
    const answer = query();
    answer.catch(() => undefined);
    sent.push(answer);
    return answer;
  };
  let lost: Error | undefined;
  try {
    const entering = [`enter_venue(${tenantId})`, ...lockCalls(access)].join(", ");
    const begin = `begin; select set_config('app.restaurant_id', '${tenantId}', true), ${entering}, clock_timestamp() as now`;
    const begun = send(() => client.query(begin));
    const startedAt = send(() => begun.then((results) => (results as unknown as pg.QueryResult<{ now: Date }>[])[1]?.rows[0]?.now as Date));
    const result = await work({
      startedAt,
      db: {
        query: async <Row>(statement: Statement<Row>) => {
          gatherWrites(client);
          return (await client.query(prepared(statement))).rows as Row[];
        },
        later: (statement) => void send(() => client.query(prepared(statement))),
      },
    });
    const commit = send(() => client.query("commit"));
    await Promise.all(sent);
    // PostgreSQL answers a commit of a failed transaction with a rollback, and without an error.
    if ((await commit).command !== "COMMIT") throw new Error("The transaction had failed, so nothing was committed");
    refuseUnconfirmed(client);
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      lost = rollbackError;
    });
    const cause = await causeOf(error, sent);
    if (isStale(cause)) lost ??= cause as Error;
    throw cause;
  } finally {
    client.release(lost);
  }
};

const IN_FAILED_TRANSACTION = "25P02";

/** What is said of a transaction that had already failed is not why it failed: that was a change nobody waited for. */
const causeOf = async (error: unknown, sent: readonly Promise<unknown>[]): Promise<unknown> => {
  if ((error as { code?: string }).code !== IN_FAILED_TRANSACTION) return error;
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  return failed?.reason ?? error;
};

/**
 * The database, not the statement, is what failed: 08 connection, 57P shutdown, 53300 too many, 57014 and 55P03 timeouts.
 * 26000 and 0A000: what was prepared on this connection is not there, or its columns have changed under it; another one will do.
 * 25006: this server takes no writes, because another one is the primary now.
 */
export const isUnavailable = (error: unknown): boolean => {
  const { code, message, severity } = error as { code?: string; message?: string; severity?: string };
  // PostgreSQL has hung up, whatever it gives as the reason: a database that is shut says 55000, which means much else.
  if (severity === "FATAL" || severity === "PANIC") return true;
  if (code !== undefined)
    return /^(08|57P0|53300|57014|55P03|25006|25P03|26000|0A000|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(
      code,
    );
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(message ?? "");
};

/** Would fail like this again on the same connection, and on no other. */
const isStale = (error: unknown): boolean => ["0A000", "26000", READ_ONLY].includes((error as { code?: string }).code ?? "");

/** Lost to somebody who was a moment earlier: two first orders of one phone number, two parties for one table. */
const RACED_CONSTRAINTS = ["guests_phone", "reservation_tables_one_party"];

/** Two transactions met in the wrong order; running the loser again is the cure. */
export const isContention = (error: unknown): boolean => {
  const { code = "", constraint = "" } = error as { code?: string; constraint?: string };
  return ["40001", "40P01"].includes(code) || (["23505", "23P01"].includes(code) && RACED_CONSTRAINTS.includes(constraint));
};
