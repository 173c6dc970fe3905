/** The API in its own process, with one of its read layers replaced by what `pg` does by itself: `npm run bench:reads` compares them. */
import pg from "pg";
import { buildApp } from "../../src/compose/api.ts";
import { readConfig } from "../../src/config.ts";
import { schedulerOf } from "../../src/db/connection-scheduler.ts";
import { OUTSIDE_TRANSACTION, openDb } from "../../src/db/pool.ts";
import { type Db, prepared, type Statement } from "../../src/db/query.ts";
import { createReadBatcher, type ReadBatcher } from "../../src/db/read-batcher.ts";
import { runSingle, SET_TENANT } from "../../src/db/single-query.ts";
import { closeOnSignal, openDeps } from "../../src/deps.ts";
import { createRequestLogBuffer } from "../../src/platform/activity/request-log/service.ts";

/** Each read on a connection of its own. */
const unbatched = (pool: pg.Pool): ReadBatcher => {
  const readerFor = (tenantId: number | null): Db => ({
    query: async <Row>(statement: Statement<Row>) => {
      const client = await schedulerOf(pool).connect(tenantId);
      try {
        return await runSingle<Row>(client, prepared(statement), tenantId);
      } finally {
        client.release();
      }
    },
    ...OUTSIDE_TRANSACTION,
  });
  return { global: readerFor(null), tenant: readerFor };
};

/** The tenant is bound by a transaction, whose three messages still leave in one write. */
const inTransaction: typeof runSingle = async <R>(client: pg.PoolClient, statement: pg.QueryConfig, tenantId: number | null) => {
  if (tenantId === null) return (await client.query(statement)).rows as R[];
  const [, { rows }] = await Promise.all([
    client.query(`begin; select set_config('app.restaurant_id', '${tenantId}', true)`),
    client.query(statement),
    client.query("commit"),
  ]);
  return rows as R[];
};

type BoundConnection = { bind(message: object): void; execute(message: object): void };
const PgQuery = pg.Query as unknown as new (
  config: object,
) => {
  prepare(connection: BoundConnection): void;
  handleDataRow(message: object): void;
  handleCommandComplete(message: object, connection: BoundConnection): void;
};

/** One message for tenant and statement, in `pg`'s own class, which asks for the columns each time. */
class DescribedQuery extends PgQuery {
  readonly #tenantId: number | null;
  #isTenantSet: boolean;

  constructor(config: object, tenantId: number | null) {
    super(config);
    this.#tenantId = tenantId;
    this.#isTenantSet = tenantId === null;
  }

  override prepare(connection: BoundConnection): void {
    if (this.#tenantId !== null) {
      connection.bind({ portal: "", statement: SET_TENANT.name, values: [String(this.#tenantId)] });
      connection.execute({ portal: "" });
    }
    super.prepare(connection);
  }

  override handleDataRow(message: object): void {
    if (this.#isTenantSet) super.handleDataRow(message);
  }

  override handleCommandComplete(message: object, connection: BoundConnection): void {
    if (this.#isTenantSet) super.handleCommandComplete(message, connection);
    this.#isTenantSet = true;
  }
}

const described: typeof runSingle = <R>(client: pg.PoolClient, statement: object, tenantId: number | null): Promise<R[]> =>
  new Promise((resolve, reject) => {
    const callback = (error: Error | null, result?: { rows: unknown[] }) => (error ? reject(error) : resolve((result?.rows ?? []) as R[]));
    client.query(new DescribedQuery({ ...statement, callback }, tenantId) as unknown as pg.Query);
  });

const VARIANTS: Record<string, (pool: pg.Pool) => ReadBatcher> = {
  unbatched,
  "in-transactions": (pool) => createReadBatcher(pool, inTransaction),
  described: (pool) => createReadBatcher(pool, described),
};

const config = readConfig(process.env);
const opened = await openDeps(config);
const variant = VARIANTS[process.argv[2] ?? ""];
if (!variant) throw new Error(`One of ${Object.keys(VARIANTS).join(", ")}`);
const deps = { ...opened, readBatcher: variant(opened.pool) };
const requestLog = createRequestLogBuffer(openDb(deps.pool), deps.log);
const app = await buildApp(deps, { requestLog });
await app.http.listen({ host: config.host, port: config.port });
closeOnSignal(deps, [app.stop, requestLog.stop]);
