/** Creates a migrated database for one run: on the server of DATABASE_URL if set, else on the packaged one. */
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createDatabase, type DatabaseUrls, dropDatabase, ensureRoles, urlsFor } from "#db/create-database.ts";
import { migrate } from "#db/migrate.ts";
import { startPostgres } from "./postgres.ts";

/** Separate roles, so that a run on a shared server does not change the passwords of the real ones. */
export const THROWAWAY_LOGINS = { owner: "comanda_test_owner", app: "comanda_test_app", password: "comanda-test" };

export type Throwaway = DatabaseUrls & { adminUrl: string; name: string; close(): Promise<void> };

/**
 * `durable` is for benchmarks, which must include the cost of a commit. `home` is the folder of an installed PostgreSQL to start, `settings`
 * are more of its settings.
 */
type ThrowawayOptions = { cell?: number; durable?: boolean; home?: string; settings?: readonly string[] };

export const openThrowaway = async (purpose: string, options: ThrowawayOptions = {}): Promise<Throwaway> => {
  const { cell = 0, durable = false, home, settings } = options;
  const given = home === undefined ? process.env.DATABASE_URL : undefined;
  const server = given ? null : await startInTemporaryFolder({ durable, ...(home && { home }), ...(settings && { settings }) });
  const adminUrl = given ?? server?.adminUrl ?? "";
  const name = `comanda_${purpose}_${randomBytes(4).toString("hex")}`;
  const urls = urlsFor(adminUrl, name, THROWAWAY_LOGINS);
  await ensureRoles(adminUrl, THROWAWAY_LOGINS);
  await createDatabase(adminUrl, name, THROWAWAY_LOGINS.owner);
  await migrate(urls.ownerUrl, cell);
  return {
    ...urls,
    adminUrl,
    name,
    async close() {
      // The server's folder is deleted with all databases.
      if (server) return server.stop();
      for (const clone of await databasesStarting(adminUrl, name)) await dropDatabase(adminUrl, clone);
    },
  };
};

const startInTemporaryFolder = async (options: { durable: boolean; home?: string; settings?: readonly string[] }) => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-"));
  // As root, the server runs as another user, which must be able to read the folder.
  chmodSync(folder, 0o755);
  const server = await startPostgres({ folder, ...options });
  return {
    adminUrl: server.adminUrl,
    stop: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The database and the clones that tests made of it. */
const databasesStarting = async (adminUrl: string, name: string): Promise<string[]> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>("select datname from pg_database where starts_with(datname, $1)", [name]);
  await client.end();
  return rows.map(({ datname }) => datname);
};
