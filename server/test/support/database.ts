/** A database of its own for each test file, cloned from the migrated template in a few milliseconds. */
import { randomBytes } from "node:crypto";
import pg from "pg";
import { createDatabase, type DatabaseUrls, dropDatabase, urlsFor } from "#db/create-database.ts";
import { recordIdentity } from "#db/database-identity.ts";
import { migrate } from "#db/migrate.ts";
import { THROWAWAY_LOGINS } from "#dev/throwaway.ts";
import { testPostgres } from "./test-postgres.ts";

export type TestDatabase = DatabaseUrls & {
  /** Runs SQL as the owner, who sees every tenant: for looking behind the API and for planting faults. */
  asOwner<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
};

/** `template` is the database to copy; it must have no connections. */
export const cloneDatabase = async (template?: string): Promise<TestDatabase> => {
  const database = await copyDatabase(template);
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await recordIdentity(client);
  await client.end();
  return database;
};

/** A copy of the template that was not released, as a restored dump is one of its original: it sends nothing and serves no request. */
export const copyDatabase = async (wanted?: string): Promise<TestDatabase> => {
  const { adminUrl, template } = await testPostgres();
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await createDatabase(adminUrl, name, THROWAWAY_LOGINS.owner, wanted ?? template);
  return openTestDatabase(urlsFor(adminUrl, name, THROWAWAY_LOGINS), () => dropDatabase(adminUrl, name));
};

/** A database of another cell in the same server: for commands between two cells, which do not ask whose server it is. */
export const createCellDatabase = async (cell: number): Promise<TestDatabase> => {
  const { adminUrl, template } = await testPostgres();
  const name = `${template}_${randomBytes(4).toString("hex")}`;
  await createDatabase(adminUrl, name, THROWAWAY_LOGINS.owner);
  const urls = urlsFor(adminUrl, name, THROWAWAY_LOGINS);
  await migrate(urls.ownerUrl, cell);
  return openTestDatabase(urls, () => dropDatabase(adminUrl, name));
};

export const openTestDatabase = (urls: DatabaseUrls, drop: () => Promise<void>): TestDatabase => {
  const owner = new pg.Pool({ connectionString: urls.ownerUrl, max: 2, options: "-c search_path=app" });
  owner.on("error", () => undefined);
  return {
    ...urls,
    asOwner: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => (await owner.query<Row>(sql, values)).rows,
    drop: async () => {
      await owner.end();
      await drop();
    },
  };
};

/** A connection that may switch off the checks of foreign keys: for large fillings, and for faults that leave rows without their parents. */
export const connectAsAdmin = async (database: DatabaseUrls): Promise<pg.Client> => {
  const url = new URL((await testPostgres()).adminUrl);
  url.pathname = new URL(database.ownerUrl).pathname;
  const client = new pg.Client({ connectionString: url.href, options: "-c search_path=app" });
  await client.connect();
  return client;
};
