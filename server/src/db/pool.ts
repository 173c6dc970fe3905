/** The connection pool, single statements, and transactions bound to a tenant. Reads that share a connection are in `read-batcher.ts`. */
import type { Writable } from "node:stream";
import pg from "pg";
import type { Logger } from "pino";
import { type AccessLock, lockCalls } from "./access-locks.ts";
import { announceChanges, numberChanges } from "./changes.ts";
import { schedulerOf } from "./connection-scheduler.ts";
import {
  dropUnconfirmed,
  IS_READ_ONLY,
  openPrimary,
  READ_ONLY,
  refuseReadOnly,
  refuseUnconfirmed,
  watchPrimary,
} from "./primary-server.ts";
import { type CommitWriter, type Db, prepared, type RecordedChange, type Statement } from "./query.ts";
import { runSingle, SET_TENANT } from "./single-query.ts";
import { parserOf } from "./type-parsers.ts";

const types: pg.CustomTypesConfig = { getTypeParser: parserOf as pg.CustomTypesConfig["getTypeParser"] };

export type PoolOptions = {
  url: string;
  connectionsMax: number;
  log: Logger;
  statementTimeoutMs?: number;
  /** Runs on each new connection before its first use. When it throws, the connection is not used. */
  onConnect?: (client: pg.ClientBase) => Promise<void>;
};

/**
 * Sent after connecting, because a pooler refuses or ignores settings in the startup message. JIT compilation is off: it pays for
 * statements that run for seconds, and stale statistics would trigger it for short ones.
 */
const sessionSettings = (statementTimeoutMs: number): string =>
  `set search_path = app; set timezone = 'UTC'; set jit = off; set statement_timeout = ${statementTimeoutMs}; set lock_timeout = 2000; set idle_in_transaction_session_timeout = 10000`;

export const openPool = ({ url, connectionsMax, log, statementTimeoutMs = 5000, onConnect }: PoolOptions): pg.Pool => {
  const { Client, searchAgain } = openPrimary(url);
  const session = `${sessionSettings(statementTimeoutMs)}; ${IS_READ_ONLY}`;
  const pool = new pg.Pool({
    Client,
    // Statements are sent without waiting for earlier results. Results arrive in the same order.
    pipeline: true,
    max: connectionsMax,
    types,
    connectionTimeoutMillis: 2000,
    maxLifetimeSeconds: 1800,
    onConnect: (async (client: pg.ClientBase) => {
      // SET_TENANT is parsed here, before first use: a SingleQuery then never has two statements to parse at once.
      const [results] = await Promise.all([client.query(session), client.query({ ...SET_TENANT, values: [""] }), onConnect?.(client)]);
      refuseReadOnly((results as unknown as pg.QueryResult<{ is_read_only: boolean }>[]).at(-1)?.rows ?? [], searchAgain);
    }) as (client: pg.ClientBase) => void,
  });
  // Both are needed: a killed backend raises 'error' on an idle client through the pool, on a busy one directly.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => client.on("error", (error) => log.warn({ err: error }, "a database connection was lost")));
  watchPrimary(pool, searchAgain);
  return pool;
};

const rejectChange = (): never => {
  throw new Error("A change needs a transaction");
};

/** The part of a `Db` that only a transaction has. */
export const OUTSIDE_TRANSACTION: Pick<Db, "defer" | "writeAtCommit" | "recordChange" | "savepoint"> = {
  defer: rejectChange,
  writeAtCommit: rejectChange,
  recordChange: rejectChange,
  savepoint: rejectChange,
};

const streamOf = (client: pg.ClientBase): Writable => (client as unknown as { connection: { stream: Writable } }).connection.stream;

/** Sends everything of this tick in one write: each write is a system call and wakes PostgreSQL. */
export const corkUntilNextTick = (client: pg.ClientBase): void => {
  const stream = streamOf(client);
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
};

/** Removes the connection from the pool at once. `pg` alone would first wait for the results of all sent statements. */
export const destroy = (client: pg.PoolClient, reason: Error): void => {
  client.release(reason);
  streamOf(client).destroy();
};

/** Runs single reads for one tenant without a transaction: one round trip each. */
export const tenantDb = (pool: pg.Pool, tenantId: number): Db => ({
  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await schedulerOf(pool).connect(tenantId);
    try {
      const rows = await runSingle<Row>(client, prepared(statement), tenantId);
      client.release();
      return rows;
    } catch (error) {
      client.release(isUnavailable(error) ? (error as Error) : undefined);
      throw error;
    }
  },
  ...OUTSIDE_TRANSACTION,
});

/** Runs single statements without a tenant. Row level security hides all tenants' rows from them. */
export const openDb = (pool: pg.Pool): Db => ({
  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await schedulerOf(pool).connect(null);
    try {
      const { rows } = await client.query(prepared(statement));
      client.release();
      return rows as Row[];
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  },
  ...OUTSIDE_TRANSACTION,
});

export type Transaction = {
  db: Db;
  /**
   * The database's clock, read after the begin and its locks. A reader that leaves out rows newer than the oldest running transaction
   * therefore never misses a row that is committed late.
   */
  startedAt: Promise<Date>;
};

type SendDeferred = <R>(query: () => Promise<R>) => Promise<R>;

type CollectedWrite = { writer: CommitWriter<unknown>; items: readonly unknown[] };

/** What a transaction collects until its commit. */
type AtCommit = { recorded: RecordedChange[]; collected: CollectedWrite[] };

const sendCollected = (client: pg.PoolClient, send: SendDeferred, tenantId: number, collected: readonly CollectedWrite[]): void => {
  for (const [writer, writes] of Map.groupBy(collected, (one) => one.writer)) {
    const statement = writer.write(
      tenantId,
      writes.flatMap(({ items }) => items),
    );
    if (statement) void send(() => client.query(prepared(statement)));
  }
};

const transactionDb = (client: pg.PoolClient, send: SendDeferred, { recorded, collected }: AtCommit): Db => ({
  query: async <Row>(statement: Statement<Row>) => {
    corkUntilNextTick(client);
    return (await client.query(prepared(statement))).rows as Row[];
  },
  defer: (statement) => void send(() => client.query(prepared(statement))),
  writeAtCommit: (writer, items) => void collected.push({ writer: writer as CommitWriter<unknown>, items }),
  recordChange: (change) => void recorded.push(change),
  async savepoint(work) {
    const before = [recorded.length, collected.length] as const;
    void send(() => client.query("savepoint operation"));
    try {
      return await work();
    } catch (error) {
      void send(() => client.query("rollback to savepoint operation"));
      [recorded.length, collected.length] = before;
      throw error;
    }
  },
});

/**
 * Runs `work` in one transaction bound to the tenant. The begin is sent with the first statement, the commit with the deferred ones.
 * `assert_venue_not_moving` refuses it while the venue moves to another cell. `access` locks are taken with the begin.
 */
export const transaction = async <T>(
  pool: pg.Pool,
  tenantId: number,
  work: (transaction: Transaction) => Promise<T>,
  access: readonly AccessLock[] = [],
): Promise<T> => {
  if (!Number.isSafeInteger(tenantId)) throw new TypeError("A tenant id is an integer");
  const client = await schedulerOf(pool).connect(tenantId);
  dropUnconfirmed(client);
  const sent: Promise<unknown>[] = [];
  const send = <R>(query: () => Promise<R>): Promise<R> => {
    corkUntilNextTick(client);
    const answer = query();
    answer.catch(() => undefined);
    sent.push(answer);
    return answer;
  };
  let lost: Error | undefined;
  try {
    const entering = [`assert_venue_not_moving(${tenantId})`, ...lockCalls(access)].join(", ");
    const begin = `begin; select set_config('app.restaurant_id', '${tenantId}', true), ${entering}, set_config('app.begun_at', clock_timestamp()::text, true)::timestamptz as now`;
    const begun = send(() => client.query(begin));
    const startedAt = send(() => begun.then((results) => (results as unknown as pg.QueryResult<{ now: Date }>[])[1]?.rows[0]?.now as Date));
    const [recorded, collected]: [RecordedChange[], CollectedWrite[]] = [[], []];
    const result = await work({ startedAt, db: transactionDb(client, send, { recorded, collected }) });
    sendCollected(client, send, tenantId, collected);
    const numbering = numberChanges(recorded);
    const numbered = numbering && send(() => client.query<{ number: number }>(prepared(numbering)));
    const commit = send(() => client.query("commit"));
    await Promise.all(sent);
    // PostgreSQL answers a commit of a failed transaction with a rollback, and without an error.
    if ((await commit).command !== "COMMIT") throw new Error("The transaction had failed, so nothing was committed");
    refuseUnconfirmed(client);
    if (numbered) announceChanges(pool, tenantId, (await numbered).rows[0]?.number ?? 0, recorded);
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

/** 25P02 hides the cause: report the deferred statement that failed first. */
const causeOf = async (error: unknown, sent: readonly Promise<unknown>[]): Promise<unknown> => {
  if ((error as { code?: string }).code !== IN_FAILED_TRANSACTION) return error;
  const outcomes = await Promise.allSettled(sent);
  const failed = outcomes.find((outcome) => outcome.status === "rejected");
  return failed?.reason ?? error;
};

/**
 * The database failed, not the statement: 08 connection, 57P shutdown, 53300 too many connections, 57014 and 55P03 timeouts.
 * 26000 and 0A000: a prepared statement of this connection is missing, or its columns changed; another connection works.
 * 25006: this server accepts no writes, because another one is the primary now.
 */
export const isUnavailable = (error: unknown): boolean => {
  const { code, message, severity } = error as { code?: string; message?: string; severity?: string };
  // PostgreSQL closed the connection. The code alone is ambiguous: a database that was closed says 55000, which has other meanings.
  if (severity === "FATAL" || severity === "PANIC") return true;
  if (code !== undefined)
    return /^(08|57P0|53300|57014|55P03|25006|25P03|26000|0A000|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/.test(
      code,
    );
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(message ?? "");
};

/** The statement fails again on this connection, but not on another. */
const isStale = (error: unknown): boolean => ["0A000", "26000", READ_ONLY].includes((error as { code?: string }).code ?? "");

/**
 * A concurrent transaction won: two first orders of one phone number, two parties for one table, two orders for the last portion, two
 * venues of one name, two shifts of one person.
 */
const RACED_CONSTRAINTS = [
  "guests_phone",
  "reservation_tables_one_party",
  "reservation_tables_pkey",
  "reservation_tables_one_present",
  "item_counts_remaining",
  "restaurants_slug_key",
  "shifts_one_place",
];

/** Deadlock, serialization failure or a lost race: running the transaction again helps. */
export const isContention = (error: unknown): boolean => {
  const { code = "", constraint = "" } = error as { code?: string; constraint?: string };
  return ["40001", "40P01"].includes(code) || (["23505", "23P01", "23514"].includes(code) && RACED_CONSTRAINTS.includes(constraint));
};
