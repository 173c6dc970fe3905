/**
 * One statement in one round trip. For a tenant: PostgreSQL runs everything sent before a Sync as one implicit
 * transaction, so `set_config(…, true)` in front of the statement binds it to the tenant and ends with it.
 *
 * The columns of a prepared statement cannot change (PostgreSQL refuses to run it then), so they are asked for once and not
 * with every answer: for a dish and its token that is three quarters of what PostgreSQL would send.
 */
import pg from "pg";
import { type Parser, parserOf } from "./types.ts";

export const SET_TENANT = { name: "set_tenant", text: "select set_config('app.restaurant_id', $1, true)" };

type Wire = {
  bind(message: { portal: string; statement: string; values: string[] }): void;
  execute(message: { portal: string }): void;
  describe(message: object): void;
};

type Column = { name: string; parse: Parser };

/** What one connection has been told already, and the same connection without a way to ask again. */
type Told = { columns: Map<string, Column[]>; quiet: Wire };

const tellings = new WeakMap<Wire, Told>();

const toldOn = (connection: Wire): Told => {
  let told = tellings.get(connection);
  if (!told) {
    told = { columns: new Map(), quiet: Object.create(connection, { describe: { value: () => undefined } }) as Wire };
    tellings.set(connection, told);
  }
  return told;
};

type Row = Record<string, unknown>;
type Prepared = { name: string; text: string; values: unknown[] };
type Callback = (error: Error | null, rows: Row[]) => void;

const { prepare } = pg.Query.prototype as unknown as { prepare(this: object, connection: Wire): void };

/**
 * What `pg` calls while a query is under way. It takes only its own kind of query on connections that are shared, so this is
 * one by descent (below), but nothing of its making is done: copying the statement's description and getting ready to
 * announce events cost more than reading the answer.
 */
class SingleQuery {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  readonly portal = "";
  callback: Callback;
  readonly #tenantId: number | null;
  #tenantIsSet: boolean;
  #told: Told | null = null;
  #columns: Column[] = [];
  #rows: Row[] = [];
  #fault: Error | null = null;

  constructor({ name, text, values }: Prepared, tenantId: number | null, callback: Callback) {
    this.name = name;
    this.text = text;
    this.values = values;
    this.callback = callback;
    this.#tenantId = tenantId;
    this.#tenantIsSet = tenantId === null;
  }

  prepare(connection: Wire): void {
    if (this.#tenantId !== null) {
      connection.bind({ portal: "", statement: SET_TENANT.name, values: [String(this.#tenantId)] });
      connection.execute({ portal: "" });
    }
    this.#told = toldOn(connection);
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
    const row: Row = {};
    try {
      for (let at = 0; at < this.#columns.length; at++) {
        const { name, parse } = this.#columns[at] as Column;
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

  /** A question about nothing; our statements are none. */
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

/** `tenantId` null: for nobody, so it reaches only what is granted to everybody. */
export const runSingle = <R>(client: pg.PoolClient, statement: Prepared, tenantId: number | null): Promise<R[]> =>
  new Promise((resolve, reject) => {
    const callback: Callback = (error, rows) => (error ? reject(error) : resolve(rows as R[]));
    client.query(new SingleQuery(statement, tenantId, callback) as unknown as pg.Query);
  });
