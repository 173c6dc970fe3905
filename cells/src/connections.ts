/** The two databases of a move, as the owners of their schemas, and whether they fit together. */

import { readIdentity } from "@comanda/server/db/database-identity.ts";
import { reachPrimary } from "@comanda/server/db/primary-server.ts";
import { UserError } from "@comanda/server/lib/errors.ts";
import type pg from "pg";

/**
 * Rows are compared as texts, so both sides write them the same way. Nothing is compiled: each statement is run a few times and on
 * few rows, and PostgreSQL, which goes by the costs, would spend seconds of the pause on it.
 */
const SESSION =
  "set search_path = app; set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = postgres; set extra_float_digits = 1; set bytea_output = hex; set jit = off; set lock_timeout = 10000";

export const connectTo = async (url: string): Promise<pg.Client> => {
  const client = await reachPrimary(url, { keepAlive: true, application_name: "comanda venue move" });
  await client.query(SESSION);
  return client;
};

/** A copy may have venues that are in another cell by now, so nothing is moved or listed by what it says. */
export const assertNotCopy = async (client: pg.Client): Promise<void> => {
  if (!(await readIdentity(client)).isRecorded)
    throw new UserError("This database is a restored copy that was not released: see `comanda-admin restored`.");
};

export type DatabaseFacts = { cell: number; schema: string; bypassesRls: boolean };

export const readDatabaseFacts = async (client: pg.Client): Promise<DatabaseFacts> => {
  const { rows } = await client.query<DatabaseFacts>(
    `select (select number from app.cell) as cell,
       (select string_agg(name || ' ' || checksum, ',' order by name) from app.migrations) || (select version from jobs.version) as schema,
       (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as "bypassesRls"`,
  );
  return rows[0] as DatabaseFacts;
};

/** The numbers of both cells. */
export const assertCellsMatch = async (from: pg.Client, to: pg.Client): Promise<{ here: number; there: number }> => {
  const [here, there] = [await readDatabaseFacts(from), await readDatabaseFacts(to)];
  if (!here.bypassesRls || !there.bypassesRls)
    throw new UserError("A move reads without row level security: give it the owner of the schema in both cells.");
  if (here.cell === there.cell) throw new UserError(`Both addresses are of cell ${here.cell}.`);
  if (here.schema !== there.schema) throw new UserError("The two cells are not of the same version: migrate both first.");
  for (const client of [from, to]) await assertNotCopy(client);
  return { here: here.cell, there: there.cell };
};
