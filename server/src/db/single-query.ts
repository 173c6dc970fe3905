/**
 * Runs one statement in one round trip. PostgreSQL runs everything before a Sync as one implicit transaction, so `set_config(…, true)`
 * before the statement binds it to the tenant and ends with it.
 *
 * The columns of a prepared statement cannot change, because PostgreSQL then refuses to run it. They are requested once per connection and
 * not with each result: for an item and its token they are three quarters of the bytes.
 */
import pg from "pg";
import { type Parser, parserOf } from "./type-parsers.ts";

export const SET_TENANT = { name: "set_tenant", text: "select set_config('app.restaurant_id', $1, true)" };

type PgConnection = {
  bind(message: { portal: string; statement: string; values: string[] }): void;
  execute(message: { portal: string }): void;
  describe(message: object): void;
};

type ParsedColumn = { name: string; parse: Parser };

/** The columns known on one connection, and the same connection without `describe`. */
type ColumnCache = { columns: Map<string, ParsedColumn[]>; quiet: PgConnection };

const columnCaches = new WeakMap<PgConnection, ColumnCache>();

const columnCacheOf = (connection: PgConnection): ColumnCache => {
  let told = columnCaches.get(connection);
  if (!told) {
    told = { columns: new Map(), quiet: Object.create(connection, { describe: { value: () => undefined } }) as PgConnection };
    columnCaches.set(connection, told);
  }
  return told;
};

type ResultRow = Record<string, unknown>;
type PreparedStatement = { name: string; text: string; values: unknown[] };
type QueryCallback = (error: Error | null, rows: ResultRow[]) => void;

const { prepare } = pg.Query.prototype as unknown as { prepare(this: object, connection: PgConnection): void };

/**
 * The object whose methods `pg` calls while a query runs. On pipelined connections `pg` accepts only instances of its own Query, so this
 * class gets that prototype (below), but skips its constructor: copying the statement's config and preparing an event emitter cost more
 * than reading the result.
 */
class SingleQuery {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  readonly portal = "";
  callback: QueryCallback;
  readonly #tenantId: number | null;
  #tenantIsSet: boolean;
  #told: ColumnCache | null = null;
  #columns: ParsedColumn[] = [];
  #rows: ResultRow[] = [];
  #fault: Error | null = null;

  constructor({ name, text, values }: PreparedStatement, tenantId: number | null, callback: QueryCallback) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.callback = callback;
    this.#tenantId = tenantId;
    this.#tenantIsSet = tenantId === null;
  }

  prepare(connection: PgConnection): void {
    if (this.#tenantId !== null) {
      connection.bind({ portal: "", statement: SET_TENANT.name, values: [String(this.#tenantId)] });
      connection.execute({ portal: "" });
    }
    this.#told = columnCacheOf(connection);
    const columns = this.#told.columns.get(this.name);
    if (columns) this.#columns = columns;
    prepare.call(this, columns ? this.#told.quiet : connection);
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    if (this.name) this.#told?.columns.set(this.name, this.#columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (!this.#tenantIsSet) return;
    const row: ResultRow = {};
    try {
      for (let at = 0; at < this.#columns.length; at++) {
        const { name, parse } = this.#columns[at] as ParsedColumn;
        const text = fields[at] as string | null;
        row[name] = text === null ? null : parse(text);
      }
    } catch (error) {
      this.#fault = error as Error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {
    this.#tenantIsSet = true;
  }

  /** Our statements are never empty. */
  handleEmptyQuery(): void {
    this.#fault = new Error("The statement is empty");
  }

  handleReadyForQuery(): void {
    this.callback(this.#fault, this.#rows);
  }

  handleError(error: Error): void {
    this.callback(error, []);
  }
}

Object.setPrototypeOf(SingleQuery.prototype, pg.Query.prototype);

/** `tenantId` null: without a tenant, so row level security hides all tenants' rows. */
export const runSingle = <R>(client: pg.PoolClient, statement: PreparedStatement, tenantId: number | null): Promise<R[]> =>
  new Promise((resolve, reject) => {
    const callback: QueryCallback = (error, rows) => (error ? reject(error) : resolve(rows as R[]));
    client.query(new SingleQuery(statement, tenantId, callback) as unknown as pg.Query);
  });
