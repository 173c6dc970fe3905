/** What is stored, table by table, so that a test sees which of them a call changed. */
import type { TestApp } from "./test-app.ts";

/** Tables that a repetition may change, because they record requests and hold no effect. */
const NO_EFFECT: Record<string, string> = {
  request_log: "has a row for each request of a token; rows are written in the background",
  hourly_token_usage: "counts the requests of a token; rows are written in the background",
};

/** The rows of each table in one sum. */
export type Digest = Record<string, string>;
export type Digests = { read(): Promise<Digest>; tables: readonly string[] };

/** Every table of the schema app, and the jobs that are queued. */
const findTables = async ({ database }: TestApp): Promise<string[]> => {
  const rows = await database.asOwner<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'app'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  );
  return ["jobs.job", ...rows.map(({ name }) => name).filter((name) => NO_EFFECT[name] === undefined)];
};

/** A function of the database: its plan is made once, and without parallel workers, whose start takes longer than all the reading. */
export const openDigests = async (app: TestApp): Promise<Digests> => {
  const tables = await findTables(app);
  const sums = tables.map((table) => `select '${table}', count(*) || ' ' || sum(hashtextextended(t::text, 0)) from ${table} t`);
  await app.database.asOwner("create schema digests");
  await app.database.asOwner(
    `create function digests.read() returns table (name text, rows text) language plpgsql set max_parallel_workers_per_gather = 0 set search_path = app
     as $body$ begin return query ${sums.join(" union all ")}; end $body$`,
  );
  const read = async (): Promise<Digest> => {
    const rows = await app.database.asOwner<{ name: string; rows: string }>("select name, rows from digests.read()");
    return Object.fromEntries(rows.map((row) => [row.name, row.rows]));
  };
  return { read, tables };
};
