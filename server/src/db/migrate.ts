/** Runs SQL files in order, each once, under one lock. A file that was edited after it ran is refused. */

import { createHash, randomBytes } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { describeError } from "#lib/described-error.ts";
import { UserError } from "#lib/errors.ts";
import { installJobEngine } from "./pg-boss.ts";
import { reachPrimary } from "./primary-server.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
const LOCK_KEY = 7_262_663_201;
const LOCK_ATTEMPTS_MAX = 600;
/**
 * A migration that waits for a table lock blocks every later statement on that table, and requests wait for two seconds at most. So a
 * migration gives up after 700 ms, lets the others run, and tries again for about a minute.
 */
const TABLE_WAIT_MS = 700;
const TABLE_PAUSE_MS = 800;
const TABLE_ATTEMPTS_MAX = 40;

export const APP_ROLE = "comanda_app";

type Migration = { name: string; sql: string; checksum: string };

export const migrationFiles = (): Migration[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith(".sql"))
    .sort()
    .map((name) => {
      const sql = readFileSync(new URL(name, FOLDER), "utf8");
      return { name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
    });

/** Returns the names of the migrations that ran. */
export const migrate = async (url: string, cell: number): Promise<string[]> => {
  const client = await reachPrimary(url);
  try {
    await client.query(`set lock_timeout = ${TABLE_WAIT_MS}`);
    await takeLock(client);
    await checkRoles(client);
    await client.query(`create schema if not exists app`);
    await client.query(
      "create table if not exists app.migrations (name text primary key, checksum text not null, ran_at timestamptz not null default now())",
    );
    await client.query(`grant usage on schema app to ${APP_ROLE}; grant select on app.migrations to ${APP_ROLE}`);
    await client.query("select set_config('comanda.cell', $1, false), set_config('comanda.cursor_key', $2, false)", [
      String(cell),
      randomBytes(32).toString("hex"),
    ]);
    const ran: string[] = [];
    for (const migration of await pendingMigrations(client)) {
      await runOne(client, migration);
      ran.push(migration.name);
    }
    await installJobEngine(client, APP_ROLE);
    return ran;
  } finally {
    await client.end();
  }
};

/** The database was made by migrations that no longer exist as they ran. It cannot be brought up to date. */
export class MigrationHistoryError extends UserError {}

const REPLACED =
  "This database was made by a preview of version 0.1.0, whose migrations were replaced. Create an empty database and run `comanda-admin migrate` there.";

export const pendingMigrations = async (client: pg.Client | pg.Pool): Promise<Migration[]> => {
  const { rows } = await client.query<{ name: string; checksum: string }>("select name, checksum from app.migrations");
  const done = new Map(rows.map((row) => [row.name, row.checksum]));
  const files = migrationFiles();
  // Every database begins with the first file. Migrations without it are those of a preview, whose files were replaced.
  if (done.size > 0 && !done.has(files[0]?.name ?? "")) throw new MigrationHistoryError(REPLACED);
  return files.filter((file) => {
    const checksum = done.get(file.name);
    if (checksum !== undefined && checksum !== file.checksum)
      throw new MigrationHistoryError(`The migration ${file.name} was edited after it ran. Restore it and write a new one instead.`);
    return checksum === undefined;
  });
};

const runOne = async (client: pg.Client, migration: Migration): Promise<void> => {
  // Some statements, such as `create index concurrently`, refuse to run inside a transaction.
  if (migration.sql.startsWith("-- no-transaction")) return runAlone(client, migration);
  for (let attempt = 1; ; attempt++) {
    try {
      return await runInTransaction(client, migration);
    } catch (error) {
      if (!isCrowded(error) || attempt === TABLE_ATTEMPTS_MAX)
        throw new Error(`The migration ${migration.name} failed and was rolled back: ${describeError(error).message}`, { cause: error });
      await sleep(TABLE_PAUSE_MS);
    }
  }
};

/** 55P03: lock timeout. 40P01: deadlock. */
const isCrowded = (error: unknown): boolean => ["55P03", "40P01"].includes((error as { code?: string }).code ?? "");

const record = (client: pg.Client, { name, checksum }: Migration): Promise<unknown> =>
  client.query("insert into app.migrations (name, checksum) values ($1, $2)", [name, checksum]);

/** No lock timeout: a concurrent index build blocks no other statement, and a cancelled one leaves an invalid index. */
const runAlone = async (client: pg.Client, migration: Migration): Promise<void> => {
  await client.query("set lock_timeout = 0");
  await client.query(migration.sql);
  await client.query(`set lock_timeout = ${TABLE_WAIT_MS}`);
  await record(client, migration);
};

const runInTransaction = async (client: pg.Client, migration: Migration): Promise<void> => {
  try {
    await client.query("begin");
    await client.query(migration.sql);
    await record(client, migration);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
};

/** Polls: a connection that waits inside a lock call would block `create index concurrently` for ever. */
const takeLock = async (client: pg.Client): Promise<void> => {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS_MAX; attempt++) {
    const { rows } = await client.query<{ locked: boolean }>("select pg_try_advisory_lock($1) as locked", [LOCK_KEY]);
    if (rows[0]?.locked) return;
    await sleep(100);
  }
  throw new UserError("Another migration has been running for a minute. Wait for it, then run `comanda-admin migrate` again.");
};

/** Forced row level security hides rows from the table's owner too, so new constraints would be validated against no rows. */
const checkRoles = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query<{ able: boolean; app: boolean }>(
    `select rolsuper or rolbypassrls as able, exists (select from pg_roles where rolname = $1) as app
     from pg_roles where rolname = current_user`,
    [APP_ROLE],
  );
  const [roles] = rows;
  if (!roles?.able) throw new UserError("The migration role must bypass row level security: as a superuser run `alter role … bypassrls`.");
  if (!roles.app)
    throw new UserError(`The role ${APP_ROLE} does not exist. As a superuser run: create role ${APP_ROLE} login password '…';`);
};
