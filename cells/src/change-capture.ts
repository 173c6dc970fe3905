/**
 * What changed since a snapshot, found by the id of the transaction that wrote each row, whatever code wrote it. A number of
 * a transaction has 32 bits in a row, so one from long ago may look new: such a row is copied once more, which does no harm.
 */
import type pg from "pg";
import { copyRows } from "./copy-rows.ts";
import { columnList, digestColumns, quoteIdentifier, type RowsDigest, tableName, type VenueTable, venueCondition } from "./venue-tables.ts";

export type CopyContext = {
  from: pg.ClientBase;
  to: pg.ClientBase;
  ids: readonly number[];
  /** How many rows each table has on the other side. Only this command changes them there, so they are counted once. */
  totals: Map<string, number>;
};

const XID_COUNT = 2n ** 32n;

/** The oldest transaction that the current snapshot does not see the end of. */
export const readSnapshotXmin = async (client: pg.ClientBase): Promise<bigint> => {
  const { rows } = await client.query<{ mark: string }>("select pg_snapshot_xmin(pg_current_snapshot())::text as mark");
  return BigInt(rows[0]?.mark ?? 0);
};

/** `age` counts back from now and allows for the wraparound of transaction ids. It is cheap enough for every row of a venue. */
const isChangedSince = (mark: bigint): string => `age(xmin) <= age('${mark % XID_COUNT < 3n ? 3n : mark % XID_COUNT}'::xid)`;

const stagingTable = ({ name }: VenueTable): string => `pg_temp.${quoteIdentifier(`moving ${name}`)}`;

/** Temporary tables for changed rows. They are created before the pause, so that no venue waits for it. */
export const createStagingTables = async (to: pg.ClientBase, tables: readonly VenueTable[]): Promise<void> => {
  // Uncommitted rows have no statistics. Without this setting PostgreSQL would scan whole tables to find a few rows by key.
  await to.query("set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off");
  for (const table of tables) {
    const name = quoteIdentifier(`moving ${table.name}`);
    await to.query(`create temp table if not exists ${name} as select ${columnList(table.columns)} from ${tableName(table)} limit 0`);
  }
};

/** `places` is where the changed rows lie, as long as the snapshot stands: they are not looked for a second time. */
type ChangedRows = RowsDigest & { total: string; places: string };
type StagedTable = { table: VenueTable; found: ChangedRows };

/** One row for each table, in one trip. */
const queryEachTable = async <R extends object>(
  client: pg.ClientBase,
  tables: readonly VenueTable[],
  text: (table: VenueTable) => string,
) => {
  if (tables.length === 0) return new Map<string, R>();
  const { rows } = await client.query<R & { name: string }>(tables.map((table) => `(${text(table)})`).join(" union all "));
  return new Map(rows.map((row) => [row.name, row as R]));
};

const nameColumn = ({ name }: VenueTable): string => `'${name}' as name`;

/** How many rows there are, how many changed, and what those add up to; and the changed ones into their place on the other side. */
const stageChanges = async ({ from, to, ids }: CopyContext, tables: readonly VenueTable[], mark: bigint): Promise<StagedTable[]> => {
  const found = await queryEachTable<ChangedRows>(
    from,
    tables,
    (table) => `select ${nameColumn(table)}, ${digestColumns(table.columns, "t.", isChangedSince(mark))}, count(*)::text as total,
        coalesce(array_agg(t.ctid) filter (where ${isChangedSince(mark)}), '{}')::text as places
      from ${tableName(table)} t where ${venueCondition(table, ids)}`,
  );
  const staged = tables.map((table) => ({ table, found: found.get(table.name) ?? { count: "0", sum: "0", total: "0", places: "{}" } }));
  for (const {
    table,
    found: { places },
  } of staged.filter(hasChanged)) {
    await to.query(`delete from ${stagingTable(table)}`);
    const select = `select ${columnList(table.columns)} from ${tableName(table)} where ctid = any('${places}'::tid[]) and ${venueCondition(table, ids)} and ${isChangedSince(mark)}`;
    await copyRows(from, select, to, `${stagingTable(table)} (${columnList(table.columns)})`);
  }
  return staged;
};

const hasChanged = ({ found }: StagedTable): boolean => found.count !== "0";

const sameKey = ({ key }: VenueTable, a: string, b: string): string => `(${columnList(key, a)}) = (${columnList(key, b)})`;

const countInserted = ({ to }: CopyContext, tables: readonly VenueTable[]): Promise<Map<string, { count: string }>> =>
  queryEachTable(
    to,
    tables,
    (table) => `select ${nameColumn(table)}, count(*)::text as count from ${stagingTable(table)} s
      where not exists (select from ${tableName(table)} t where ${sameKey(table, "t.", "s.")})`,
  );

/** Takes away on the other side what is gone on this one. Looked for only where the numbers say that there are some. */
const deleteRemoved = async (sides: CopyContext, staged: readonly StagedTable[]): Promise<void> => {
  const { from, to, ids, totals } = sides;
  const added = await countInserted(
    sides,
    staged.filter(hasChanged).map(({ table }) => table),
  );
  for (const { table, found } of staged.toReversed()) {
    const after = (totals.get(table.name) ?? 0) + Number(added.get(table.name)?.count ?? 0);
    totals.set(table.name, after);
    if (after === Number(found.total)) continue;
    const keys = quoteIdentifier(`keys ${table.name}`);
    await to.query(
      `drop table if exists pg_temp.${keys}; create temp table ${keys} as select ${columnList(table.key)} from ${tableName(table)} limit 0`,
    );
    const select = `select ${columnList(table.key)} from ${tableName(table)} where ${venueCondition(table, ids)}`;
    await copyRows(from, select, to, `pg_temp.${keys} (${columnList(table.key)})`);
    await to.query(`create index on pg_temp.${keys} (${columnList(table.key)})`);
    const { rowCount } = await to.query(
      `delete from ${tableName(table)} t where ${venueCondition(table, ids, "t.")}
         and not exists (select from pg_temp.${keys} k where ${sameKey(table, "k.", "t.")})`,
    );
    totals.set(table.name, after - (rowCount ?? 0));
  }
};

const upsertText = (table: VenueTable, where = ""): string => {
  const values = table.columns.filter((column) => !table.key.includes(column));
  const change =
    values.length === 0
      ? "nothing"
      : `update set ${values.map((name) => `${quoteIdentifier(name)} = excluded.${quoteIdentifier(name)}`).join(", ")}`;
  return `insert into ${tableName(table)} (${columnList(table.columns)}) select ${columnList(table.columns)} from ${stagingTable(table)} ${where}
    on conflict (${columnList(table.key)}) do ${change}`;
};

const UNIQUE_VIOLATIONS = ["23505", "23P01"];

/** A value that must be unique may pass from one row to another: then the one that gives it up has to come first. */
const upsertOneByOne = async (to: pg.ClientBase, table: VenueTable): Promise<void> => {
  const { rows } = await to.query<{ place: string }>(`select ctid::text as place from ${stagingTable(table)}`);
  let waiting = rows;
  while (waiting.length > 0) {
    const blocked: typeof rows = [];
    for (const row of waiting) {
      await to.query("savepoint one");
      const done = await to.query(upsertText(table, `where ctid = '${row.place}'::tid`)).catch((error: { code?: string }) => {
        if (UNIQUE_VIOLATIONS.includes(error.code ?? "")) return null;
        throw error;
      });
      await to.query(done ? "release savepoint one" : "rollback to savepoint one");
      if (!done) blocked.push(row);
    }
    if (blocked.length === waiting.length) throw new Error(`Rows of ${table.name} are in each other's way; begin the move again`);
    waiting = blocked;
  }
};

const upsert = async (to: pg.ClientBase, table: VenueTable): Promise<void> => {
  await to.query("savepoint all_rows");
  try {
    await to.query(upsertText(table));
  } catch (error) {
    if (!UNIQUE_VIOLATIONS.includes((error as { code?: string }).code ?? "")) throw error;
    await to.query("rollback to savepoint all_rows");
    await upsertOneByOne(to, table);
  }
};

/** What was changed is now the same on both sides, and there are as many rows in all. What was not changed was compared before. */
const verifyChanges = async (sides: CopyContext, staged: readonly StagedTable[]): Promise<void> => {
  const changed = staged.filter(hasChanged).map(({ table }) => table);
  const sums = await queryEachTable<RowsDigest>(
    sides.to,
    changed,
    (table) =>
      `select ${nameColumn(table)}, ${digestColumns(table.columns, "t.")} from ${tableName(table)} t join ${stagingTable(table)} s on ${sameKey(table, "t.", "s.")}`,
  );
  for (const { table, found } of staged) {
    const [sum, total] = [sums.get(table.name), sides.totals.get(table.name) ?? 0];
    const isSame = !hasChanged({ table, found }) || (sum?.count === found.count && sum.sum === found.sum);
    if (!isSame || total !== Number(found.total))
      throw new Error(`${table.name} is not the same in both cells: ${found.total} rows here, ${total} there`);
  }
};

/** Brings the other side, which is inside a transaction, up to what the reading side sees now. Returns how many rows had changed. */
export const applyChanges = async (sides: CopyContext, tables: readonly VenueTable[], mark: bigint): Promise<number> => {
  const staged = await stageChanges(sides, tables, mark);
  await deleteRemoved(sides, staged);
  for (const { table } of staged.filter(hasChanged)) await upsert(sides.to, table);
  await verifyChanges(sides, staged);
  return staged.reduce((sum, { found }) => sum + Number(found.count), 0);
};

/** Everything, for the first copy: how many rows. `compareAllRows` verifies that they arrived. */
export const copyAllRows = async (sides: CopyContext, tables: readonly VenueTable[]): Promise<number> => {
  let count = 0;
  for (const table of tables) {
    const select = `select ${columnList(table.columns)} from ${tableName(table)} where ${venueCondition(table, sides.ids)}`;
    count += await copyRows(sides.from, select, sides.to, `${tableName(table)} (${columnList(table.columns)})`);
  }
  return count;
};

/** Counts and digests of everything, on both sides. */
export const compareAllRows = async ({ from, to, ids, totals }: CopyContext, tables: readonly VenueTable[]): Promise<void> => {
  for (const table of tables) {
    const text = `select ${digestColumns(table.columns, "t.")} from ${tableName(table)} t where ${venueCondition(table, ids)}`;
    const [[here], [there]] = (await Promise.all([from.query<RowsDigest>(text), to.query<RowsDigest>(text)])).map(({ rows }) => rows) as [
      RowsDigest[],
      RowsDigest[],
    ];
    if (here?.count !== there?.count || here?.sum !== there?.sum)
      throw new Error(`${table.name} is not the same in both cells: ${here?.count} rows here, ${there?.count} there`);
    totals.set(table.name, Number(there?.count ?? 0));
  }
};

const DELETE_BATCH_ROWS = 10_000;

/** Deletes in bounded batches, rows that refer to others first. */
export const deleteVenueRows = async (client: pg.ClientBase, tables: readonly VenueTable[], ids: readonly number[]): Promise<void> => {
  for (const table of tables.toReversed()) {
    const text = `delete from ${tableName(table)} where ctid = any(array(select ctid from ${tableName(table)} where ${venueCondition(table, ids)} limit ${DELETE_BATCH_ROWS})) and ${venueCondition(table, ids)}`;
    while (((await client.query(text)).rowCount ?? 0) === DELETE_BATCH_ROWS);
  }
};
