/** Connections, and the two ways to work for a tenant: one statement in one round trip, or a transaction. */
import pg from "pg";
import type { Logger } from "pino";
import { type Db, prepared, type Statement } from "./query.ts";

const SET_TENANT = { name: "set_tenant", text: "select set_config('app.restaurant_id', $1, true)" };

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;

const readInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a JSON number`);
  return value;
};

const builtInParser = (oid: number): ((text: string) => unknown) => pg.types.getTypeParser(oid, "text");
const readIntegers = (text: string): number[] => (builtInParser(INT8_ARRAY)(text) as string[]).map(readInteger);
const readText = (text: string): string => text;

/** Integers as numbers, because JSON has no others; dates as they are written, because a date is no instant. */
const PARSERS = new Map<number, (text: string) => unknown>([
  [INT8, readInteger],
  [INT8_ARRAY, readIntegers],
  [DATE, readText],
]);

const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => PARSERS.get(oid) ?? builtInParser(oid)) as pg.CustomTypesConfig["getTypeParser"],
};

export type PoolOptions = { url: string; connectionsMax: number; log: Logger; statementTimeoutMs?: number };

export const openPool = ({ url, connectionsMax, log, statementTimeoutMs = 5000 }: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    // Statements are sent without waiting for the answer to the one before; answers come in the same order.
    pipeline: true,
    max: connectionsMax,
    types,
    connectionTimeoutMillis: 2000,
    maxLifetimeSeconds: 1800,
    options: `-c search_path=app -c timezone=UTC -c statement_timeout=${statementTimeoutMs} -c lock_timeout=2000 -c idle_in_transaction_session_timeout=10000`,
    // Parsed here, before first use: a TenantQuery then never has two statements to parse at once.
    onConnect: (async (client: pg.ClientBase) => {
      await client.query({ ...SET_TENANT, values: [""] });
    }) as (client: pg.ClientBase) => void,
  });
  // Both are needed: a killed backend raises 'error' on an idle client through the pool, on a busy one directly.
  pool.on("error", (error) => log.warn({ err: error }, "an idle database connection was lost"));
  pool.on("connect", (client) => client.on("error", (error) => log.warn({ err: error }, "a database connection was lost")));
  return pool;
};

type Wire = {
  bind(message: { portal: string; statement: string; values: string[] }): void;
  execute(message: { portal: string }): void;
};

/**
 * One statement for one tenant in one round trip. PostgreSQL runs everything sent before a Sync as one implicit
 * transaction, so `set_config(…, true)` in front of the statement binds it to the tenant and ends with it.
 */
class TenantQuery extends (pg.Query as unknown as new (
  config: object,
) => pg.Query & {
  prepare(connection: Wire): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
}) {
  readonly #tenantId: number;
  #tenantIsSet = false;

  constructor(tenantId: number, config: object) {
    super(config);
    this.#tenantId = tenantId;
  }

  override prepare(connection: Wire): void {
    connection.bind({ portal: "", statement: SET_TENANT.name, values: [String(this.#tenantId)] });
    connection.execute({ portal: "" });
    super.prepare(connection);
  }

  override handleDataRow(message: unknown): void {
    if (this.#tenantIsSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#tenantIsSet) super.handleCommandComplete(message, connection);
    else this.#tenantIsSet = true;
  }
}

const refuseChange = (): never => {
  throw new Error("A change needs a transaction");
};

/** A door for one tenant without a transaction around it: for reads of one statement, one round trip each. */
export const tenantDb = (pool: pg.Pool, tenantId: number): Db => ({
  async query<Row>(statement: Statement<Row>): Promise<Row[]> {
    const client = await pool.connect();
    try {
      const rows = await runForTenant<Row>(client, tenantId, prepared(statement));
      client.release();
      return rows;
    } catch (error) {
      client.release(isUnavailable(error) ? (error as Error) : undefined);
      throw error;
    }
  },
  later: refuseChange,
});

const runForTenant = <Row>(client: pg.PoolClient, tenantId: number, statement: object): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    const callback = (error: Error | null, result: { rows: Row[] }) => (error ? reject(error) : resolve(result.rows));
    client.query(new TenantQuery(tenantId, { ...statement, callback }));
  });

/** A door that belongs to no tenant: it reaches only what is granted to everybody. */
export const openDb = (pool: pg.Pool): Db => ({
  query: async <Row>(statement: Statement<Row>) => (await pool.query(prepared(statement))).rows as Row[],
  later: refuseChange,
});

export type Transaction = {
  db: Db;
  /**
   * The database's clock, read after the transaction had begun. A reader that leaves out rows newer than the oldest
   * running transaction therefore never overlooks one that is committed late.
   */
  startedAt: Promise<Date>;
};

/**
 * Runs `work` in one transaction bound to the tenant. Begin travels with the first statement, and the commit with the
 * changes that nobody waited for.
 */
export const transaction = async <T>(pool: pg.Pool, tenantId: number, work: (transaction: Transaction) => Promise<T>): Promise<T> => {
  if (!Number.isSafeInteger(tenantId)) throw new TypeError("A tenant id is an integer");
  const client = await pool.connect();
  const sent: Promise<unknown>[] = [];
  const send = <R>(answer: Promise<R>): Promise<R> => {
    answer.catch(() => undefined);
    sent.push(answer);
    return answer;
  };
  let lost: Error | undefined;
  try {
    const begun = send(client.query(`begin; select set_config('app.restaurant_id', '${tenantId}', true), clock_timestamp() as now`));
    const startedAt = send(begun.then((results) => (results as unknown as pg.QueryResult<{ now: Date }>[])[1]?.rows[0]?.now as Date));
    const result = await work({
      startedAt,
      db: {
        query: async <Row>(statement: Statement<Row>) => (await client.query(prepared(statement))).rows as Row[],
        later: (statement) => void send(client.query(prepared(statement))),
      },
    });
    const commit = send(client.query("commit"));
    await Promise.all(sent);
    // PostgreSQL answers a commit of a failed transaction with a rollback, and without an error.
    if ((await commit).command !== "COMMIT") throw new Error("The transaction had failed, so nothing was committed");
    return result;
  } catch (error) {
    await client.query("rollback").catch((rollbackError: Error) => {
      lost = rollbackError;
    });
    throw await causeOf(error, sent);
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

/** The database, not the statement, is what failed: 08 connection, 57P shutdown, 53300 too many, 57014 and 55P03 timeouts. */
export const isUnavailable = (error: unknown): boolean => {
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined) return /^(08|57P0|53300|57014|55P03|25P03|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(code);
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|Client was closed/.test(message ?? "");
};

/** Lost to somebody who was a moment earlier: two first orders of one phone number, two parties for one table. */
const RACED_CONSTRAINTS = ["guests_phone", "reservation_tables_one_party"];

/** Two transactions met in the wrong order; running the loser again is the cure. */
export const isContention = (error: unknown): boolean => {
  const { code = "", constraint = "" } = error as { code?: string; constraint?: string };
  return ["40001", "40P01"].includes(code) || (["23505", "23P01"].includes(code) && RACED_CONSTRAINTS.includes(constraint));
};
