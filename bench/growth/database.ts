/** Grown databases are on a server that is given, or in a folder with a PostgreSQL of its own. */
import { chmodSync, mkdirSync } from "node:fs";
import pg from "pg";
import { createDatabase, type DatabaseUrls, databaseExists, ensureRoles, urlsFor } from "../../server/src/db/create-database.ts";
import { migrate } from "../../server/src/db/migrate.ts";
import { startPostgres } from "../../server/src/dev/postgres.ts";
import { THROWAWAY_LOGINS } from "../../server/src/dev/throwaway.ts";

const NAME = "grown";

/** Loading trades safety for speed; serving is as in production, with two fifths of a machine of 24 GB as PostgreSQL's own memory. */
const SETTINGS = {
  loading: [
    "shared_buffers=2GB",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_wal_size=16GB",
    "checkpoint_timeout=30min",
    "autovacuum=off",
    "max_parallel_maintenance_workers=1",
  ],
  serving: [
    "shared_buffers=10GB",
    "max_wal_size=4GB",
    "shared_preload_libraries=pg_stat_statements",
    "pg_stat_statements.track=top",
    "jit=off",
  ],
};

export type GrownServer = { databaseUrl: string; pid: number; stop(): Promise<void> };

export const openFolder = async (folder: string, purpose: keyof typeof SETTINGS): Promise<GrownServer> => {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o755);
  const server = await startPostgres({ folder, durable: purpose === "serving", settings: SETTINGS[purpose] });
  const url = new URL(server.adminUrl);
  url.pathname = `/${NAME}`;
  return { databaseUrl: url.href, pid: server.pid, stop: () => server.stop() };
};

/** Made and migrated when it is not there yet. `until` is the day that an earlier run was begun with. */
export const ensureGrown = async (databaseUrl: string): Promise<DatabaseUrls & { until: string | null }> => {
  const admin = new URL(databaseUrl);
  const name = admin.pathname.slice(1);
  admin.pathname = "/postgres";
  const urls = urlsFor(admin.href, name, THROWAWAY_LOGINS);
  await ensureRoles(admin.href, THROWAWAY_LOGINS);
  if (!(await databaseExists(admin.href, name))) await createDatabase(admin.href, name, THROWAWAY_LOGINS.owner);
  const client = new pg.Client({ connectionString: urls.ownerUrl });
  await client.connect();
  const { rows } = await client.query<{ is_begun: boolean }>("select to_regclass('grown.scale') is not null as is_begun");
  const until = rows[0]?.is_begun ? (await client.query<{ until: string }>("select until from grown.scale")).rows[0]?.until : undefined;
  await client.end();
  await migrate(urls.ownerUrl, 0);
  return { ...urls, until: until ?? null };
};
