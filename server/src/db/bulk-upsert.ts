/** Makes the rows of a keyed table equal to a list: one statement each to insert or update and to mark as deleted. */
import { SANDBOX_ID_FIRST } from "@comanda/contract/sandbox/sandbox-ids.ts";
import { sql } from "kysely";
import type { Ctx } from "#lib/context.ts";
import { BEGUN_AT } from "./begun-at.ts";
import type { Tables } from "./tables.generated.ts";

/** Ids from sequences begin at 1024. */
const SAMPLE_ROWS_MAX = 1024 - SANDBOX_ID_FIRST;

type KeyedTable = { [T in keyof Tables]: "key" extends keyof Tables[T] ? T : never }[keyof Tables];
type RowOf = Record<string, unknown>;

export type KeyedRows = {
  table: KeyedTable;
  /** The column within which a key is unique, besides the restaurant. */
  within?: string;
  /** This column is written on insert and on a change. A new value alone is no change. */
  stamp?: string;
  /** This column is written on insert only. */
  birth?: string;
  /** This column gets the database's clock on a change. */
  touched?: string;
  /** A row is left as it is when one of these columns is set. */
  closed?: string[];
};

/** Inserts new rows and updates rows that differ. A deleted row whose key is listed again becomes live. */
export const upsertRows = async (
  ctx: Ctx,
  { table, within, stamp, birth, touched, closed = [] }: KeyedRows,
  rows: RowOf[],
): Promise<void> => {
  const given = numberSample(ctx, rows);
  const [sample] = given;
  if (!sample) return;
  const columns = Object.keys(sample);
  const identity = ["restaurant_id", ...(within ? [within] : []), "key"];
  const values = columns.filter((column) => !identity.includes(column) && column !== "id" && column !== birth);
  const compared = values.filter((column) => column !== stamp);
  const refs = (names: string[], of: string) => sql.join(names.map((name) => sql.ref(`${of}.${name}`)));
  await ctx.db.query(sql`
    insert into ${sql.table(table)} (restaurant_id, ${sql.join(columns.map((name) => sql.ref(name)))})
    select ${ctx.tenant.id}::bigint, ${refs(columns, "given")}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(given)}::jsonb) given
    on conflict (${sql.join(identity.map((name) => sql.ref(name)))}) do update
    set ${sql.join([
      ...values.map((name) => sql`${sql.ref(name)} = ${sql.ref(`excluded.${name}`)}`),
      ...(touched ? [sql`${sql.ref(touched)} = ${BEGUN_AT}`] : []),
    ])}
    where (${refs(compared, table)}) is distinct from (${refs(compared, "excluded")})
      ${sql.join(
        closed.map((column) => sql`and ${sql.ref(`${table}.${column}`)} is null`),
        sql` `,
      )}`);
};

/** The sample of a sandbox has the ids that the API reference shows. In live restaurants a sequence gives the ids. */
const numberSample = ({ tenant }: Ctx, rows: RowOf[]): RowOf[] => {
  if (tenant.kind === "live") return rows;
  if (rows.length > SAMPLE_ROWS_MAX) throw new Error(`A sample has at most ${SAMPLE_ROWS_MAX} rows of a kind`);
  return rows.map((row, index) => ({ id: SANDBOX_ID_FIRST + index, ...row }));
};

/** Marks rows as deleted whose key is not listed. They are kept, because orders refer to them. */
export const removeOthers = async (ctx: Ctx, table: KeyedTable, keys: string[]): Promise<void> => {
  await ctx.db.query(sql`
    update ${sql.table(table)} set deleted_at = ${ctx.now}
    where restaurant_id = ${ctx.tenant.id} and deleted_at is null and key <> all(${keys}::text[])`);
};

/** Ids by key, to write the references of the next table. */
export const idsByKey = async (ctx: Ctx, table: KeyedTable): Promise<(key: string) => number> => {
  const rows = await ctx.db.query(
    sql<{ id: number; key: string }>`select id, key from ${sql.table(table)} where restaurant_id = ${ctx.tenant.id}`,
  );
  const ids = new Map(rows.map((row) => [row.key, row.id]));
  return (key) => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`No row of ${table} has the key ${key}`);
    return id;
  };
};

/** Deletes all rows and inserts the new ones. It fits small tables that nothing refers to. */
export const replaceRows = (ctx: Ctx, table: keyof Tables, rows: RowOf[]): void => {
  ctx.db.defer(sql`delete from ${sql.table(table)} where restaurant_id = ${ctx.tenant.id}`);
  insertRows(ctx, table, rows);
};

/** Inserts any number of rows with one statement text, so that it is prepared once. */
export const insertRows = (ctx: Ctx, table: keyof Tables, rows: RowOf[]): void => {
  const [sample] = rows;
  if (!sample) return;
  const columns = Object.keys(sample);
  ctx.db.defer(sql`
    insert into ${sql.table(table)} (restaurant_id, ${sql.join(columns.map((name) => sql.ref(name)))})
    select ${ctx.tenant.id}::bigint, ${sql.join(columns.map((name) => sql.ref(`given.${name}`)))}
    from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb) given`);
};
