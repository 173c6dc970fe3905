/** A primary and a standby that follows it synchronously: two real servers, as durable as in service. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { createDatabase, type DatabaseUrls, ensureRoles, urlsFor } from "#db/create-database.ts";
import { migrate } from "#db/migrate.ts";
import { type LocalPostgres, startPostgres } from "#dev/postgres.ts";
import { THROWAWAY_LOGINS } from "#dev/throwaway.ts";
import { freePort } from "./processes.ts";

const NAME = "replicated";
const STANDBY = "standby";

export type ReplicaServer = DatabaseUrls & { adminUrl: string; pid: number; stop: LocalPostgres["stop"] };

export type Replication = {
  primary: ReplicaServer;
  standby: ReplicaServer;
  /** Both hosts in one address, the primary first unless the caller says otherwise. */
  url(order?: readonly ReplicaServer[]): string;
  admin<Row extends pg.QueryResultRow>(server: ReplicaServer, sql: string): Promise<Row[]>;
  promote(): Promise<void>;
  /** Stopped in order, and started again: the standby misses what the primary does meanwhile. */
  stopStandby(): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

const admin = async <Row extends pg.QueryResultRow>({ adminUrl }: ReplicaServer, sql: string): Promise<Row[]> => {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
};

const reached = (server: LocalPostgres): ReplicaServer => ({ ...server, ...urlsFor(server.adminUrl, NAME, THROWAWAY_LOGINS) });

/** A copy of the stopped primary's files, started as a standby. The packaged PostgreSQL has no `pg_basebackup`. */
const copyAsStandby = (from: string, to: string): void => {
  mkdirSync(to);
  for (const name of ["data", "password"]) execFileSync("cp", ["-a", join(from, name), join(to, name)]);
  const signal = join(to, "data", "standby.signal");
  writeFileSync(signal, "");
  execFileSync("chown", ["--reference", join(to, "data"), signal]);
};

/** Without `isSynchronous` a commit does not wait for the standby. */
export const startReplication = async ({ isSynchronous = true } = {}): Promise<Replication> => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-replication-"));
  // The servers run as another user when we are root, and must be able to enter.
  chmodSync(folder, 0o755);
  const [primaryFolder, standbyFolder] = [join(folder, "primary"), join(folder, STANDBY)];
  const [primaryPort, standbyPort] = [await freePort(), await freePort()];
  const first = await startPostgres({ folder: primaryFolder, durable: true, port: primaryPort });
  await ensureRoles(first.adminUrl, THROWAWAY_LOGINS);
  await createDatabase(first.adminUrl, NAME, THROWAWAY_LOGINS.owner);
  await migrate(urlsFor(first.adminUrl, NAME, THROWAWAY_LOGINS).ownerUrl, 0);
  await first.stop();
  copyAsStandby(primaryFolder, standbyFolder);
  const { password } = new URL(first.adminUrl);
  const source = `host=127.0.0.1 port=${primaryPort} user=postgres password=${password} application_name=${STANDBY}`;
  const primary = reached(
    await startPostgres({
      folder: primaryFolder,
      durable: true,
      port: primaryPort,
      settings: [`synchronous_standby_names=${isSynchronous ? STANDBY : ""}`],
    }),
  );
  const startStandby = () =>
    startPostgres({ folder: standbyFolder, durable: true, port: standbyPort, settings: [`primary_conninfo=${source}`] });
  const standby = reached(await startStandby());
  const end = (): void => {
    for (const { pid } of [primary, standby]) if (isAlive(pid)) process.kill(pid, "SIGQUIT");
  };
  process.once("exit", end);
  await untilFollowing(primary, isSynchronous ? "sync" : "async");
  return {
    primary,
    standby,
    url: (order = [primary, standby]) => {
      const { username, password: secret } = new URL(primary.appUrl);
      const hosts = order.map(({ appUrl }) => new URL(appUrl).host).join(",");
      return `postgres://${username}:${secret}@${hosts}/${NAME}?target_session_attrs=read-write`;
    },
    admin,
    promote: async () => void (await admin(standby, "select pg_promote()")),
    async stopStandby() {
      await standby.stop();
      return async () => void Object.assign(standby, await startStandby());
    },
    async close() {
      process.off("exit", end);
      await Promise.all([primary.stop("immediate"), standby.stop("immediate")]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const untilFollowing = async (primary: ReplicaServer, how: "sync" | "async"): Promise<void> => {
  for (const deadline = Date.now() + 100_000; Date.now() < deadline; await sleep(50)) {
    const rows = await admin<{ sync_state: string }>(primary, "select sync_state from pg_stat_replication where state = 'streaming'");
    if (rows[0]?.sync_state === how) return;
  }
  throw new Error("The standby does not follow the primary");
};
