/** A PostgreSQL with its dump tools. The packaged one has none, so this is an installed one: Debian's package `postgresql`. */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createDatabase, dropDatabase, urlsFor } from "../../src/db/create-database.ts";
import { migrate } from "../../src/db/migrate.ts";
import { openThrowaway, THROWAWAY_LOGINS } from "../../src/dev/throwaway.ts";
import { openTestDatabase, type TestDatabase } from "./database.ts";

const run = promisify(execFile);
const INSTALLED = "/usr/lib/postgresql";

const newestInstalled = (): string | null => {
  const versions = existsSync(INSTALLED) ? readdirSync(INSTALLED).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(INSTALLED, version)).find((home) => existsSync(join(home, "bin", "pg_dump"))) ?? null;
};

/** Null where no PostgreSQL with `pg_dump` is installed. */
export const DUMP_HOME: string | null = process.env.POSTGRES_HOME ?? newestInstalled();

export type DumpServer = Awaited<ReturnType<typeof openDumpServer>>;

/** A server of its own with one migrated database, of cell 0. */
export const openDumpServer = async () => {
  const home = DUMP_HOME ?? "";
  const { close, adminUrl, ...urls } = await openThrowaway("drill", { home });
  const folder = mkdtempSync(join(tmpdir(), "comanda-dump-"));
  const asAdmin = (url: string): string => Object.assign(new URL(adminUrl), { pathname: new URL(url).pathname }).href;
  const create = async (template?: string): Promise<TestDatabase> => {
    const name = `comanda_drill_${randomBytes(4).toString("hex")}`;
    await createDatabase(adminUrl, name, THROWAWAY_LOGINS.owner, template);
    return openTestDatabase(urlsFor(adminUrl, name, THROWAWAY_LOGINS), () => dropDatabase(adminUrl, name));
  };
  const tool = (name: string, ...parameters: string[]) => run(join(home, "bin", name), parameters);
  return {
    origin: openTestDatabase(urls, async () => undefined),
    /** The database of another cell. */
    async cell(number: number): Promise<TestDatabase> {
      const database = await create();
      await migrate(database.ownerUrl, number);
      return database;
    },
    /** As the guide says it; gives back the file. */
    async dump({ ownerUrl }: TestDatabase): Promise<string> {
      const file = join(folder, `${randomBytes(4).toString("hex")}.dump`);
      await tool("pg_dump", "-Fc", "-f", file, asAdmin(ownerUrl));
      return file;
    },
    async restore(file: string): Promise<TestDatabase> {
      const database = await create();
      await tool("pg_restore", "--exit-on-error", "-d", asAdmin(database.ownerUrl), file);
      return database;
    },
    /** Another one beside a restored one that has no connections: faster than to restore it again. */
    copy: ({ ownerUrl }: TestDatabase): Promise<TestDatabase> => create(new URL(ownerUrl).pathname.slice(1)),
    /** Over what is there, in the same database. */
    async restoreInPlace(file: string, { ownerUrl }: TestDatabase): Promise<void> {
      await tool("pg_restore", "--exit-on-error", "--clean", "--if-exists", "-d", asAdmin(ownerUrl), file);
    },
    async close(): Promise<void> {
      rmSync(folder, { recursive: true });
      await close();
    },
  };
};
