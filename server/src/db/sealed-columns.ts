/** Every sealed column, found in the catalogue: a new one is resealed, checked at start and checked by a move without a line of code. */
import { sql } from "kysely";
import pg from "pg";
import { Misuse } from "#lib/errors.ts";
import { type SecretKey, seal, unseal } from "#lib/sealed.ts";
import type { Db } from "./query.ts";

export type SealedColumn = {
  table_name: string;
  column_name: string;
  /** What its values are sealed for, with `{column}` for that column of the row. */
  purpose: string;
  key_columns: string[];
  /** Its rows belong to venues, and are seen only in a transaction of theirs. */
  of_venue: boolean;
  is_required: boolean;
};

export const SEALED_COLUMNS = "select table_name, column_name, purpose, key_columns, of_venue, is_required from app.sealed_columns()";

export type FoundColumn = Omit<SealedColumn, "purpose"> & { purpose: string | null };

const nameOf = ({ table_name, column_name }: Pick<SealedColumn, "table_name" | "column_name">): string => `${table_name}.${column_name}`;

/** Refuses a column without its comment: its values could be opened by the code that wrote them, but not resealed. */
export const withPurposes = (rows: readonly FoundColumn[]): SealedColumn[] =>
  rows.map(({ purpose, ...column }) => {
    if (purpose === null)
      throw new Misuse(
        `The sealed column ${nameOf(column)} has no comment "sealed for …", so it cannot be resealed. Add it by a migration.`,
      );
    return { ...column, purpose };
  });

export const readSealedColumns = async (db: Db): Promise<SealedColumn[]> =>
  withPurposes(await db.query(sql<FoundColumn>`${sql.raw(SEALED_COLUMNS)}`));

export type KeyUse = { table_name: string; column_name: string; key_id: string };

/** Which keys sealed something, by column. One index entry is read for each, so it costs the same however much is sealed. */
export const readKeyUses = (db: Db): Promise<KeyUse[]> =>
  db.query(sql<KeyUse>`select table_name, column_name, key_id from sealed_key_ids()`);

export const listVenuesSealedWith = async (db: Db, column: SealedColumn, keyId: string, page: { after: number; rows: number }) =>
  (
    await db.query(
      sql<{ restaurant_id: number }>`select restaurant_id from venues_sealed_with(${column.table_name}, ${column.column_name}, ${keyId},
        ${page.after}::bigint, ${page.rows}::integer)`,
    )
  ).map(({ restaurant_id }) => restaurant_id);

const PLACE = /\{([a-z_]+)\}/g;

export type SealedRow = Record<string, unknown> & { sealed_text: string };

const columnsOf = ({ key_columns, purpose }: SealedColumn): string[] => [
  ...new Set([...key_columns, ...[...purpose.matchAll(PLACE)].map(([, name = ""]) => name)]),
];

export const purposeFor = ({ purpose }: SealedColumn, row: SealedRow): string =>
  purpose.replace(PLACE, (_, name: string) => String(row[name]));

export type SomeRows = {
  column: SealedColumn;
  keyId: string;
  rowCount: number;
  /** Null for a table that belongs to no venue. */
  restaurantId: number | null;
};

/** For a connection that sees over all venues. `condition` is SQL of ours. */
export const sealedRowsText = (column: SealedColumn, condition: string): string =>
  `select ${columnsOf(column).map(pg.escapeIdentifier).join(", ")}, ${pg.escapeIdentifier(column.column_name)} as sealed_text
   from app.${pg.escapeIdentifier(column.table_name)} where ${pg.escapeIdentifier(column.column_name)} is not null and ${condition}`;

/** Some rows of one column that one key sealed, locked. */
const lockRows = (db: Db, { column, keyId, rowCount, restaurantId }: SomeRows): Promise<SealedRow[]> => {
  const { table_name, column_name } = column;
  const ofVenue = restaurantId === null ? sql`true` : sql`restaurant_id = ${restaurantId}`;
  return db.query(sql<SealedRow>`
    select ${sql.join(columnsOf(column).map((name) => sql.ref(name)))}, ${sql.ref(column_name)} as sealed_text from ${sql.table(table_name)}
    where ${ofVenue} and ${sql.ref(column_name)} is not null and split_part(${sql.ref(column_name)}, '.', 2) = ${keyId}
    limit ${rowCount}::integer for update`);
};

const isRow = ({ key_columns }: SealedColumn, row: SealedRow) =>
  sql.join(
    key_columns.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );

/** How many were sealed anew with the first of `keys`. Fewer than `rowCount`: none is left here. */
export const resealRows = async (db: Db, some: SomeRows, keys: readonly SecretKey[]): Promise<number> => {
  const { column } = some;
  const rows = await lockRows(db, some);
  for (const row of rows) {
    const purpose = purposeFor(column, row);
    const resealed = seal(keys, opened(keys, row.sealed_text, { column, purpose }), purpose);
    db.later(sql`update ${sql.table(column.table_name)} set ${sql.ref(column.column_name)} = ${resealed} where ${isRow(column, row)}`);
  }
  return rows.length;
};

const opened = (keys: readonly SecretKey[], sealed: string, { column, purpose }: { column: SealedColumn; purpose: string }): string => {
  try {
    return unseal(keys, sealed, purpose);
  } catch (error) {
    throw new Misuse(`The secret ${purpose} in ${nameOf(column)} could not be opened: ${(error as Error).message}`);
  }
};

/** For a key that is lost: what it sealed is taken out, with its row where the row is nothing without it. */
export const discardRows = async (db: Db, some: SomeRows): Promise<number> => {
  const { column } = some;
  const rows = await lockRows(db, some);
  for (const row of rows)
    db.later(
      column.is_required
        ? sql`delete from ${sql.table(column.table_name)} where ${isRow(column, row)}`
        : sql`update ${sql.table(column.table_name)} set ${sql.ref(column.column_name)} = null where ${isRow(column, row)}`,
    );
  return rows.length;
};
