/** Every encrypted column, found in the catalogue: a new one is encrypted again, checked at start and checked by a move without a line of code. */

import { sql } from "kysely";
import pg from "pg";
import { describeError } from "#lib/described-error.ts";
import { decrypt, type EncryptionKey, encrypt } from "#lib/encryption.ts";
import { UserError } from "#lib/errors.ts";
import type { Db } from "./query.ts";

export type EncryptedColumn = {
  table_name: string;
  column_name: string;
  /** What its values are encrypted for, with `{column}` for that column of the row. */
  purpose: string;
  key_columns: string[];
  /** Its rows belong to venues, and are seen only in a transaction of theirs. */
  of_venue: boolean;
  is_required: boolean;
};

export const ENCRYPTED_COLUMNS = "select table_name, column_name, purpose, key_columns, of_venue, is_required from app.encrypted_columns()";

export type FoundColumn = Omit<EncryptedColumn, "purpose"> & { purpose: string | null };

const nameOf = ({ table_name, column_name }: Pick<EncryptedColumn, "table_name" | "column_name">): string => `${table_name}.${column_name}`;

/** Refuses a column without its comment: its values could be decrypted by the code that wrote them, but not encrypted again. */
export const withPurposes = (rows: readonly FoundColumn[]): EncryptedColumn[] =>
  rows.map(({ purpose, ...column }) => {
    if (purpose === null)
      throw new UserError(
        `The encrypted column ${nameOf(column)} has no comment "encrypted for …", so it cannot be encrypted again. Add it by a migration.`,
      );
    return { ...column, purpose };
  });

export const readEncryptedColumns = async (db: Db): Promise<EncryptedColumn[]> =>
  withPurposes(await db.query(sql<FoundColumn>`${sql.raw(ENCRYPTED_COLUMNS)}`));

export type KeyUse = { table_name: string; column_name: string; key_id: string };

/** Lists the keys that encrypted something, by column. One index entry is read for each, so it costs the same however much is encrypted. */
export const readKeyUses = (db: Db): Promise<KeyUse[]> =>
  db.query(sql<KeyUse>`select table_name, column_name, key_id from encryption_key_ids()`);

export const listVenuesEncryptedWith = async (db: Db, column: EncryptedColumn, keyId: string, page: { after: number; rows: number }) =>
  (
    await db.query(
      sql<{ restaurant_id: number }>`select restaurant_id from venues_encrypted_with(${column.table_name}, ${column.column_name}, ${keyId},
        ${page.after}::bigint, ${page.rows}::integer)`,
    )
  ).map(({ restaurant_id }) => restaurant_id);

const PLACE = /\{([a-z_]+)\}/g;

export type EncryptedRow = Record<string, unknown> & { encrypted_text: string };

const columnsOf = ({ key_columns, purpose }: EncryptedColumn): string[] => [
  ...new Set([...key_columns, ...[...purpose.matchAll(PLACE)].map(([, name = ""]) => name)]),
];

export const purposeFor = ({ purpose }: EncryptedColumn, row: EncryptedRow): string =>
  purpose.replace(PLACE, (_, name: string) => String(row[name]));

export type SomeRows = {
  column: EncryptedColumn;
  keyId: string;
  rowCount: number;
  /** Null for a table that belongs to no venue. */
  restaurantId: number | null;
};

/** The connection sees all venues. `condition` is SQL of ours. */
export const encryptedRowsText = (column: EncryptedColumn, condition: string): string =>
  `select ${columnsOf(column).map(pg.escapeIdentifier).join(", ")}, ${pg.escapeIdentifier(column.column_name)} as encrypted_text
   from app.${pg.escapeIdentifier(column.table_name)} where ${pg.escapeIdentifier(column.column_name)} is not null and ${condition}`;

/** Some rows of one column that one key encrypted, locked. */
const lockRows = (db: Db, { column, keyId, rowCount, restaurantId }: SomeRows): Promise<EncryptedRow[]> => {
  const { table_name, column_name } = column;
  const ofVenue = restaurantId === null ? sql`true` : sql`restaurant_id = ${restaurantId}`;
  return db.query(sql<EncryptedRow>`
    select ${sql.join(columnsOf(column).map((name) => sql.ref(name)))}, ${sql.ref(column_name)} as encrypted_text from ${sql.table(table_name)}
    where ${ofVenue} and ${sql.ref(column_name)} is not null and split_part(${sql.ref(column_name)}, '.', 2) = ${keyId}
    limit ${rowCount}::integer for update`);
};

const isRow = ({ key_columns }: EncryptedColumn, row: EncryptedRow) =>
  sql.join(
    key_columns.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
    sql` and `,
  );

/** How many were encrypted again with the first of `keys`. Fewer than `rowCount`: none is left here. */
export const reencryptRows = async (db: Db, some: SomeRows, keys: readonly EncryptionKey[]): Promise<number> => {
  const { column } = some;
  const rows = await lockRows(db, some);
  for (const row of rows) {
    const purpose = purposeFor(column, row);
    const encrypted = encrypt(keys, decrypted(keys, row.encrypted_text, { column, purpose }), purpose);
    db.defer(sql`update ${sql.table(column.table_name)} set ${sql.ref(column.column_name)} = ${encrypted} where ${isRow(column, row)}`);
  }
  return rows.length;
};

const decrypted = (
  keys: readonly EncryptionKey[],
  encrypted: string,
  { column, purpose }: { column: EncryptedColumn; purpose: string },
): string => {
  try {
    return decrypt(keys, encrypted, purpose);
  } catch (error) {
    throw new UserError(`The secret ${purpose} in ${nameOf(column)} could not be opened: ${describeError(error).message}`);
  }
};

/** Removes what a lost key encrypted, with its row where the row is nothing without it. */
export const discardRows = async (db: Db, some: SomeRows): Promise<number> => {
  const { column } = some;
  const rows = await lockRows(db, some);
  for (const row of rows)
    db.defer(
      column.is_required
        ? sql`delete from ${sql.table(column.table_name)} where ${isRow(column, row)}`
        : sql`update ${sql.table(column.table_name)} set ${sql.ref(column.column_name)} = null where ${isRow(column, row)}`,
    );
  return rows.length;
};
