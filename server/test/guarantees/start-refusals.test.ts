/** What the server refuses to start with: a role that could step over the wall, another cell's database, an old schema, a faulty setting. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig } from "#config.ts";
import { createDatabase, dropDatabase, urlsFor } from "#db/create-database.ts";
import { migrate } from "#db/migrate.ts";
import { openPool } from "#db/pool.ts";
import { openDeps, openLog } from "#deps.ts";
import { THROWAWAY_LOGINS } from "#dev/throwaway.ts";
import { UserError } from "#lib/errors.ts";
import { cloneDatabase, type TestDatabase } from "../support/database.ts";
import { testPostgres } from "../support/test-postgres.ts";

const PASSWORD = "only-for-this-test";

let database: TestDatabase;
let admin: pg.Client;

beforeAll(async () => {
  database = await cloneDatabase();
  admin = new pg.Client({ connectionString: (await testPostgres()).adminUrl });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

const start = async (url: string, environment: Record<string, string> = {}): Promise<void> => {
  const config = readConfig({ DATABASE_URL: url, LOG_LEVEL: "silent", ...environment });
  const deps = await openDeps(config);
  await deps.close();
};

/** The sentence that a start is refused with. */
const refusalOf = async (url: string, environment?: Record<string, string>): Promise<string> => {
  const outcome = await start(url, environment).then(
    () => "started",
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(UserError);
  return (outcome as UserError).message;
};

/** A role of its own, with the given attributes, for as long as the work takes. Roles belong to the whole server. */
const withRole = async (attributes: string, work: (url: string) => Promise<void>): Promise<void> => {
  const role = `${nameOf(database.appUrl)}_role`;
  await admin.query(`create role ${role} login password '${PASSWORD}' ${attributes}`);
  try {
    const url = new URL(database.appUrl);
    url.username = role;
    url.password = PASSWORD;
    await work(url.href);
  } finally {
    await admin.query(`drop role ${role}`);
  }
};

describe("the role in DATABASE_URL", () => {
  test("the server starts as comanda_app, and as a plain member of it", async () => {
    await start(database.appUrl);
    await withRole("in role comanda_app", start);
  });

  test("refused: the owner of the schema", async () => {
    expect(await refusalOf(database.ownerUrl)).toMatch(/bypasses row level security|owns the tables/);
  });

  test("refused: a superuser", async () => {
    const url = new URL((await testPostgres()).adminUrl);
    url.pathname = nameOf(database.appUrl);
    expect(await refusalOf(url.href)).toMatch("is a superuser");
  });

  test("refused: a member of comanda_app that bypasses row level security", async () => {
    await withRole("bypassrls in role comanda_app", async (url) => {
      expect(await refusalOf(url)).toMatch("bypasses row level security");
    });
  });

  test("refused: a member of the owner, who could become it", async () => {
    await withRole(`in role comanda_app, ${THROWAWAY_LOGINS.owner}`, async (url) => {
      expect(await refusalOf(url)).toMatch("owns the tables");
    });
  });

  test("a refused start leaves no connection open", async () => {
    const pool = openPool({ url: database.ownerUrl, connectionsMax: 2, log: openLog("silent") });
    const config = readConfig({ DATABASE_URL: database.ownerUrl, LOG_LEVEL: "silent" });
    await expect(openDeps(config, { pool })).rejects.toBeInstanceOf(UserError);
    expect(pool.ended).toBe(true);
    expect(pool.totalCount).toBe(0);
  });
});

describe("the database in DATABASE_URL", () => {
  test("refused: the database of another cell", async () => {
    expect(await refusalOf(database.appUrl, { CELL: "7" })).toMatch("CELL is 7, but this database was set up as cell 0");
  });

  test("refused: a schema that lacks a migration", async () => {
    const [last] = await database.asOwner<{ name: string; checksum: string }>(
      "delete from migrations where name = (select max(name) from migrations) returning name, checksum",
    );
    expect(await refusalOf(database.appUrl)).toMatch("comanda-admin -- migrate");
    await database.asOwner("insert into migrations (name, checksum) values ($1, $2)", [last?.name, last?.checksum]);
    await start(database.appUrl);
  });

  test("refused: a schema made by a migration that has changed since", async () => {
    await database.asOwner("update migrations set checksum = reverse(checksum) where name = (select min(name) from migrations)");
    expect(await refusalOf(database.appUrl)).toMatch("was edited after it ran");
    await database.asOwner("update migrations set checksum = reverse(checksum) where name = (select min(name) from migrations)");
    await start(database.appUrl);
  });

  test("refused: a database of the migrations before 0.1.0, by the server and by `comanda-admin migrate`", async () => {
    const [first] = await database.asOwner<{ name: string }>("select min(name) as name from app.migrations");
    await database.asOwner("update app.migrations set name = '0001_foundation.sql' where name = $1", [first?.name]);
    try {
      expect(await refusalOf(database.appUrl)).toMatch("made by a preview of version 0.1.0");
      await expect(migrate(database.ownerUrl, 0)).rejects.toThrow("Create an empty database and run `comanda-admin migrate` there.");
    } finally {
      await database.asOwner("update app.migrations set name = $1 where name = '0001_foundation.sql'", [first?.name]);
    }
  });

  test("refused: a database that was never migrated", async () => {
    const name = `${nameOf(database.appUrl)}_empty`;
    await createDatabase((await testPostgres()).adminUrl, name, THROWAWAY_LOGINS.owner);
    try {
      expect(await refusalOf(urlsFor((await testPostgres()).adminUrl, name, THROWAWAY_LOGINS).appUrl)).toMatch("comanda-admin -- migrate");
    } finally {
      await dropDatabase((await testPostgres()).adminUrl, name);
    }
  });
});

describe("the environment", () => {
  const faultsOf = (environment: Record<string, string>): string => {
    try {
      readConfig(environment);
    } catch (error) {
      expect(error).toBeInstanceOf(UserError);
      return (error as UserError).message;
    }
    throw new Error("The configuration was accepted");
  };

  const FAULTY = {
    DATABASE_URL: "postgres//comanda:hunter2-db@db/app",
    REDIS_URL: "http://:hunter2-redis@cache:6379",
    PUBLIC_URL: "ftp://hunter2-public",
    PORT: "hunter2-port",
    CELL: "1024",
    LOG_LEVEL: "hunter2-level",
    REUSE_PORT: "hunter2-reuse",
    DATABASE_CONNECTIONS_MAX: "0",
    RATE_PER_MINUTE: "6.5",
    UNAUTHENTICATED_RATE_PER_MINUTE: "-1",
    SHUTDOWN_GRACE_MS: "60001",
    HOST_FILE: "/nowhere/hunter2-file",
  };

  test("every fault is listed at once, by the name of its setting", () => {
    const message = faultsOf(FAULTY);
    for (const name of Object.keys(FAULTY)) expect(message).toContain(`  - ${name} `);
    expect(message.split("\n")).toHaveLength(1 + Object.keys(FAULTY).length);
  });

  test("no value is ever printed, so that a mistyped address does not show its password", () => {
    expect(faultsOf(FAULTY)).not.toMatch(/hunter2|1024|6\.5|60001/);
    for (const url of ["postgres://comanda:hunter2@[db/app", "mysql://comanda:hunter2@db/app", "comanda:hunter2@db"])
      expect(faultsOf({ DATABASE_URL: url })).not.toContain("hunter2");
  });

  test("nothing set at all: only DATABASE_URL is missed, and what is read cannot be changed", () => {
    expect(faultsOf({}).split("\n")).toEqual(["The configuration is not valid:", expect.stringMatching(/^ {2}- DATABASE_URL is missing/)]);
    expect(Object.isFrozen(readConfig({ DATABASE_URL: "postgres://comanda_app@db/app" }))).toBe(true);
  });
});
