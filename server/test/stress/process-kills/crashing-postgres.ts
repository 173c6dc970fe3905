/** A PostgreSQL of its own for the stress test, as durable as in production, that is made to crash and recovers from its log. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createDatabase, type DatabaseUrls, ensureRoles, urlsFor } from "#db/create-database.ts";
import { migrate } from "#db/migrate.ts";
import { startPostgres } from "#dev/postgres.ts";
import { THROWAWAY_LOGINS } from "#dev/throwaway.ts";
import { openTestDatabase, type TestDatabase } from "../../support/database.ts";
import { freePort } from "../../support/processes.ts";

export type CrashingPostgres = {
  database: TestDatabase;
  isUp(): boolean;
  /** Resolves when it answers again after the last crash; at once when it is up. */
  ready(): Promise<void>;
  /** Stopped and started again: `immediate` ends at once and without a checkpoint, `fast` notifies its clients. */
  restart(how: "immediate" | "fast"): Promise<void>;
  /** One of its processes is killed: it then ends all others itself, and recovers. */
  killChild(pick: (limit: number) => number): Promise<void>;
  close(): Promise<void>;
};

const NAME = "kill_storm";

export const startCrashingPostgres = async (): Promise<CrashingPostgres> => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-stress-"));
  // The server runs as another user when we are root, and must be able to enter.
  chmodSync(folder, 0o755);
  const port = await freePort();
  let server = await startPostgres({ folder, durable: true, port });
  const { adminUrl } = server;
  // A test run that dies must not leave it behind.
  const end = () => void process.kill(server.pid, "SIGQUIT");
  process.once("exit", end);
  const remove = async (): Promise<void> => {
    process.off("exit", end);
    await server.stop("immediate");
    rmSync(folder, { recursive: true, force: true });
  };
  const urls = await setUp(adminUrl).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const database = openTestDatabase(urls, remove);
  let recovery = Promise.resolve();
  let isUp = true;
  const crash = (suffer: () => Promise<void>): Promise<void> => {
    isUp = false;
    recovery = suffer().then(() => {
      isUp = true;
    });
    return recovery;
  };
  return {
    database,
    isUp: () => isUp,
    ready: () => recovery,
    restart: (how) =>
      crash(async () => {
        await server.stop(how);
        server = await startPostgres({ folder, durable: true, port });
      }),
    killChild: (pick) => crash(() => killChild(adminUrl, pick)),
    async close() {
      await recovery.catch(() => undefined);
      await database.drop();
    },
  };
};

const setUp = async (adminUrl: string): Promise<DatabaseUrls> => {
  await assertDurable(adminUrl);
  await ensureRoles(adminUrl, THROWAWAY_LOGINS);
  await createDatabase(adminUrl, NAME, THROWAWAY_LOGINS.owner);
  const urls = urlsFor(adminUrl, NAME, THROWAWAY_LOGINS);
  await migrate(urls.ownerUrl, 0);
  return urls;
};

/** Kills over a database that is not durable would prove nothing. */
const assertDurable = async (adminUrl: string): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  for (const setting of ["fsync", "synchronous_commit", "full_page_writes", "data_checksums"]) {
    const { rows } = await client.query<Record<string, string>>(`show ${setting}`);
    if (rows[0]?.[setting] !== "on") throw new Error(`${setting} is not on`);
  }
  await client.end();
};

const killChild = async (adminUrl: string, pick: (limit: number) => number): Promise<void> => {
  const client = new pg.Client({ connectionString: adminUrl });
  const gone = new Promise<void>((resolve) => {
    client.on("error", () => resolve());
    client.once("end", () => resolve());
  });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("select pid from pg_stat_activity where pid <> pg_backend_pid() order by pid");
  const victim = rows[pick(rows.length)];
  if (!victim) throw new Error("PostgreSQL has no other process");
  process.kill(victim.pid, "SIGKILL");
  await gone;
  while (!(await answers(adminUrl))) await sleep(20);
};

const answers = async (url: string): Promise<boolean> => {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
};
