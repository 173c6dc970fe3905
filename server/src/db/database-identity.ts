/** The identity of this database: recorded in the database itself, and compared with what the server says now. A restored copy differs. */
import type pg from "pg";
import { builder, type Db, oneRow } from "./query.ts";

export type Identity = {
  /** False: the database is a copy that has not been released. */
  isRecorded: boolean;
  /** True: the venues were compared with the other cells since this PostgreSQL started. A recovery in place restarts it. */
  isCompared: boolean;
  recordedName: string;
  recordedAt: Date;
};

type Connection = Pick<pg.ClientBase, "query">;

const READ = `select coalesce(s.system_identifier = p.system_identifier, true) and s.database_oid = p.database_oid and s.table_oid = p.table_oid as is_recorded,
    coalesce(s.compared_at > pg_postmaster_start_time(), false) as is_compared, s.database_name, s.recorded_at
  from app.database_identity s cross join app.current_identity() p`;

type IdentityRow = { is_recorded: boolean; is_compared: boolean; database_name: string; recorded_at: Date };

export const readIdentity = async (connection: Connection): Promise<Identity> => {
  const { rows } = await connection.query<IdentityRow>(READ);
  const [row] = rows;
  if (!row) throw new Error("The table database_identity is empty: a migration fills it, and nothing empties it");
  return { isRecorded: row.is_recorded, isCompared: row.is_compared, recordedName: row.database_name, recordedAt: row.recorded_at };
};

/** Says that this database is the one that sends from now on, and that its venues were compared. As the schema's owner. */
export const recordIdentity = async (connection: Connection): Promise<void> => {
  await connection.query(
    `update app.database_identity set (system_identifier, database_oid, table_oid, database_name, recorded_at, compared_at) =
       (select p.system_identifier, p.database_oid, p.table_oid, p.database_name, clock_timestamp(), clock_timestamp() from app.current_identity() p)`,
  );
};

/** The schema is older than the identity, or was never made. The start refuses such a database for that reason. */
export const hasNoIdentity = (error: unknown): boolean =>
  ["42P01", "42883", "3F000", "42501"].includes((error as { code?: string }).code ?? "");

/** The number of the cell, and the key that signs its cursors. Written when the database is created. */
export const readCell = (db: Db) => oneRow(db.query(builder.selectFrom("cell").select(["number", "cursor_key"])));
