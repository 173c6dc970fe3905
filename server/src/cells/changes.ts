/**
 * What changed since a snapshot, found by the transaction that wrote each row: whoever writes, and however, is seen. A number of
 * a transaction has 32 bits in a row, so one from long ago may look new: such a row is copied once more, which does no harm.
 */
import type pg from "pg";
import { copyRows } from "./copy.ts";
import { list, ofVenue, placeOf, quoted, type Sum, sumOf, type VenueTable } from "./tables.ts";

export type Sides = {
  from: pg.ClientBase;
  to: pg.ClientBase;
  ids: readonly number[];
  /** How many rows each table has on the other side. Nobody but us changes them there, so they are counted once. */
  totals: Map<string, number>;
};

const NUMBERS = 2n ** 32n;

/** The oldest transaction that the current snapshot does not see the end of. */
export const readMark = async (client: pg.ClientBase): Promise<bigint> => {
  const { rows } = await client.query<{ mark: string }>("select pg_snapshot_xmin(pg_current_snapshot())::text as mark");
  return BigInt(rows[0]?.mark ?? 0);
};

/** `age` counts back from now, round the circle of 32 bits: cheap enough to ask of every row that a venue has. */
const isNew = (mark: bigint): string => `age(xmin) <= age('${mark % NUMBERS < 3n ? 3n : mark % NUMBERS}'::xid)`;

const stageOf = ({ name }: VenueTable): string => `pg_temp.${quoted(`moving ${name}`)}`;

/** Places beside the tables for what changed. Made ahead, so that no venue waits for it. */
export const prepareStages = async (to: pg.ClientBase, tables: readonly VenueTable[]): Promise<void> => {
  // Nobody has statistics of rows that are not committed: without this, whole tables would be read to find a few by their key.
  await to.query("set local enable_seqscan = off; set local enable_hashjoin = off; set local enable_mergejoin = off");
  for (const table of tables) {
    const name = quoted(`moving ${table.name}`);
    await to.query(`create temp table if not exists ${name} as select ${list(table.columns)} from ${placeOf(table)} limit 0`);
  }
};

/** `places` is where the changed rows lie, as long as the snapshot stands: they are not looked for a second time. */
type Found = Sum & { total: string; places: string };
type Staged = { table: VenueTable; found: Found };

/** One row for each table, in one trip. */
const ofEach = async <R extends object>(client: pg.ClientBase, tables: readonly VenueTable[], text: (table: VenueTable) => string) => {
  if (tables.length === 0) return new Map<string, R>();
  const { rows } = await client.query<R & { name: string }>(tables.map((table) => `(${text(table)})`).join(" union all "));
  return new Map(rows.map((row) => [row.name, row as R]));
};

const nameOf = ({ name }: VenueTable): string => `'${name}' as name`;

/** How many rows there are, how many changed, and what those add up to; and the changed ones into their place on the other side. */
const stage = async ({ from, to, ids }: Sides, tables: readonly VenueTable[], mark: bigint): Promise<Staged[]> => {
  const found = await ofEach<Found>(
    from,
    tables,
    (table) => `select ${nameOf(table)}, ${sumOf(table.columns, "t.", isNew(mark))}, count(*)::text as total,
        coalesce(array_agg(t.ctid) filter (where ${isNew(mark)}), '{}')::text as places
      from ${placeOf(table)} t where ${ofVenue(table, ids)}`,
  );
  const staged = tables.map((table) => ({ table, found: found.get(table.name) ?? { count: "0", sum: "0", total: "0", places: "{}" } }));
  for (const {
    table,
    found: { places },
  } of staged.filter(hasChanged)) {
    await to.query(`delete from ${stageOf(table)}`);
    const select = `select ${list(table.columns)} from ${placeOf(table)} where ctid = any('${places}'::tid[]) and ${ofVenue(table, ids)} and ${isNew(mark)}`;
    await copyRows(from, select, to, `${stageOf(table)} (${list(table.columns)})`);
  }
  return staged;
};

const hasChanged = ({ found }: Staged): boolean => found.count !== "0";

const sameKey = ({ key }: VenueTable, a: string, b: string): string => `(${list(key, a)}) = (${list(key, b)})`;

const countNew = ({ to }: Sides, tables: readonly VenueTable[]): Promise<Map<string, { count: string }>> =>
  ofEach(
    to,
    tables,
    (table) => `select ${nameOf(table)}, count(*)::text as count from ${stageOf(table)} s
      where not exists (select from ${placeOf(table)} t where ${sameKey(table, "t.", "s.")})`,
  );

/** Takes away on the other side what is gone on this one. Looked for only where the numbers say that there are some. */
const removeGone = async (sides: Sides, staged: readonly Staged[]): Promise<void> => {
  const { from, to, ids, totals } = sides;
  const added = await countNew(
    sides,
    staged.filter(hasChanged).map(({ table }) => table),
  );
  for (const { table, found } of staged.toReversed()) {
    const after = (totals.get(table.name) ?? 0) + Number(added.get(table.name)?.count ?? 0);
    totals.set(table.name, after);
    if (after === Number(found.total)) continue;
    const keys = quoted(`keys ${table.name}`);
    await to.query(
      `drop table if exists pg_temp.${keys}; create temp table ${keys} as select ${list(table.key)} from ${placeOf(table)} limit 0`,
    );
    const select = `select ${list(table.key)} from ${placeOf(table)} where ${ofVenue(table, ids)}`;
    await copyRows(from, select, to, `pg_temp.${keys} (${list(table.key)})`);
    await to.query(`create index on pg_temp.${keys} (${list(table.key)})`);
    const { rowCount } = await to.query(
      `delete from ${placeOf(table)} t where ${ofVenue(table, ids, "t.")}
         and not exists (select from pg_temp.${keys} k where ${sameKey(table, "k.", "t.")})`,
    );
    totals.set(table.name, after - (rowCount ?? 0));
  }
};

const upsertText = (table: VenueTable, where = ""): string => {
  const values = table.columns.filter((column) => !table.key.includes(column));
  const change =
    values.length === 0 ? "nothing" : `update set ${values.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(", ")}`;
  return `insert into ${placeOf(table)} (${list(table.columns)}) select ${list(table.columns)} from ${stageOf(table)} ${where}
    on conflict (${list(table.key)}) do ${change}`;
};

const IN_THE_WAY = ["23505", "23P01"];

/** A value that must be unique may pass from one row to another: then the one that gives it up has to come first. */
const upsertOneByOne = async (to: pg.ClientBase, table: VenueTable): Promise<void> => {
  const { rows } = await to.query<{ place: string }>(`select ctid::text as place from ${stageOf(table)}`);
  let waiting = rows;
  while (waiting.length > 0) {
    const blocked: typeof rows = [];
    for (const row of waiting) {
      await to.query("savepoint one");
      const done = await to.query(upsertText(table, `where ctid = '${row.place}'::tid`)).catch((error: { code?: string }) => {
        if (IN_THE_WAY.includes(error.code ?? "")) return null;
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
    if (!IN_THE_WAY.includes((error as { code?: string }).code ?? "")) throw error;
    await to.query("rollback to savepoint all_rows");
    await upsertOneByOne(to, table);
  }
};

/** What was changed is now the same on both sides, and there are as many rows in all. What was not changed was compared before. */
const verify = async (sides: Sides, staged: readonly Staged[]): Promise<void> => {
  const changed = staged.filter(hasChanged).map(({ table }) => table);
  const sums = await ofEach<Sum>(
    sides.to,
    changed,
    (table) =>
      `select ${nameOf(table)}, ${sumOf(table.columns, "t.")} from ${placeOf(table)} t join ${stageOf(table)} s on ${sameKey(table, "t.", "s.")}`,
  );
  for (const { table, found } of staged) {
    const [sum, total] = [sums.get(table.name), sides.totals.get(table.name) ?? 0];
    const isSame = !hasChanged({ table, found }) || (sum?.count === found.count && sum.sum === found.sum);
    if (!isSame || total !== Number(found.total))
      throw new Error(`${table.name} is not the same in both cells: ${found.total} rows here, ${total} there`);
  }
};

/** Brings the other side, which is inside a transaction, up to what the reading side sees now. Returns how many rows had changed. */
export const catchUp = async (sides: Sides, tables: readonly VenueTable[], mark: bigint): Promise<number> => {
  const staged = await stage(sides, tables, mark);
  await removeGone(sides, staged);
  for (const { table } of staged.filter(hasChanged)) await upsert(sides.to, table);
  await verify(sides, staged);
  return staged.reduce((sum, { found }) => sum + Number(found.count), 0);
};

/** Everything, for the first copy: how many rows. Whether they arrived says the comparison. */
export const copyAll = async (sides: Sides, tables: readonly VenueTable[]): Promise<number> => {
  let count = 0;
  for (const table of tables) {
    const select = `select ${list(table.columns)} from ${placeOf(table)} where ${ofVenue(table, sides.ids)}`;
    count += await copyRows(sides.from, select, sides.to, `${placeOf(table)} (${list(table.columns)})`);
  }
  return count;
};

/** Counts and digests of everything, on both sides. */
export const compareAll = async ({ from, to, ids, totals }: Sides, tables: readonly VenueTable[]): Promise<void> => {
  for (const table of tables) {
    const text = `select ${sumOf(table.columns, "t.")} from ${placeOf(table)} t where ${ofVenue(table, ids)}`;
    const [[here], [there]] = (await Promise.all([from.query<Sum>(text), to.query<Sum>(text)])).map(({ rows }) => rows) as [Sum[], Sum[]];
    if (here?.count !== there?.count || here?.sum !== there?.sum)
      throw new Error(`${table.name} is not the same in both cells: ${here?.count} rows here, ${there?.count} there`);
    totals.set(table.name, Number(there?.count ?? 0));
  }
};

const WIPE_ROWS = 10_000;

/** In bounded batches, those that refer to others first. */
export const wipe = async (client: pg.ClientBase, tables: readonly VenueTable[], ids: readonly number[]): Promise<void> => {
  for (const table of tables.toReversed()) {
    const text = `delete from ${placeOf(table)} where ctid = any(array(select ctid from ${placeOf(table)} where ${ofVenue(table, ids)} limit ${WIPE_ROWS})) and ${ofVenue(table, ids)}`;
    while (((await client.query(text)).rowCount ?? 0) === WIPE_ROWS);
  }
};
