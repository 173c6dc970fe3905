/**
 * Finds the primary. A standby is never used, not even for reads: it may not know yet that a token was revoked. Of several hosts the
 * first that accepts writes is used. When it stops accepting them, the search starts again.
 */
import { callbackify } from "node:util";
import pg from "pg";
import { parseDatabaseUrl } from "#lib/database-url.ts";
import { UserError } from "#lib/errors.ts";

/** PostgreSQL's code for a write on a read-only server or session. */
export const READ_ONLY = "25006";

/** True on a standby and on a primary with `default_transaction_read_only`. */
export const IS_READ_ONLY = "select current_setting('transaction_read_only') = 'on' as is_read_only";

type ReadOnlyRow = { is_read_only: boolean };

export const refuseReadOnly = (rows: readonly ReadOnlyRow[], otherwise: () => void = () => undefined): void => {
  if (rows[0]?.is_read_only === false) return;
  otherwise();
  throw Object.assign(new Error("it takes no writes, because it is a standby or read-only"), { code: READ_ONLY });
};

const urlsIn = (url: string): readonly string[] => {
  const parsed = parseDatabaseUrl(url);
  if (typeof parsed === "string") throw new UserError(`The address of PostgreSQL ${parsed}`);
  return parsed.urls;
};

type PrimaryHost = { host: string; port: number };

type Primary = {
  /** The class of `pg.Pool`, which creates its clients itself: each connects to the primary. */
  Client: typeof pg.Client;
  /** The next connection searches all hosts again. */
  searchAgain(): void;
};

const SEARCH_MS_MAX = 1500;

/** Asks all hosts at once and takes the first that accepts writes: a host that is down may answer late. */
const search = async (urls: readonly string[]): Promise<PrimaryHost> => {
  const found = await Promise.any(
    urls.map(async (url): Promise<PrimaryHost> => {
      // A pooler may accept the connection for a server that is down, and never answer the query.
      const client = await connectToPrimary(url, { connectionTimeoutMillis: SEARCH_MS_MAX, query_timeout: SEARCH_MS_MAX });
      await client.end();
      return client;
    }),
  ).catch(({ errors }: AggregateError) => {
    throw errors[0];
  });
  return { host: found.host, port: found.port };
};

export const openPrimary = (url: string): Primary => {
  const urls = urlsIn(url);
  let found: Promise<PrimaryHost> | null = null;
  const searchAgain = (): void => {
    found = null;
  };
  const find = (): Promise<PrimaryHost> => {
    found ??= search(urls);
    return found;
  };
  class PrimaryClient extends pg.Client {
    constructor(options: pg.ClientConfig) {
      super({ ...options, connectionString: urls[0] });
      if (urls.length === 1) return;
      const connect = this.connect.bind(this) as () => Promise<unknown>;
      const findAndConnect = async (): Promise<void> => {
        try {
          Object.assign(this, await find());
          await connect();
        } catch (error) {
          searchAgain();
          throw error;
        }
      };
      this.connect = callbackify(findAndConnect) as typeof this.connect;
    }
  }
  return { Client: PrimaryClient as typeof pg.Client, searchAgain: searchAgain };
};

/** Opens a connection to the first host that accepts writes. */
export const connectToPrimary = async (url: string, options: pg.ClientConfig = {}): Promise<pg.Client> => {
  const faults: (Error & { code?: string })[] = [];
  for (const one of urlsIn(url)) {
    const client = new pg.Client({ connectionTimeoutMillis: 5000, ...options, connectionString: one });
    // Without a listener a lost connection would end the process. The running statement fails in any case.
    client.on("error", () => undefined);
    try {
      await client.connect();
      refuseReadOnly((await client.query<ReadOnlyRow>(IS_READ_ONLY)).rows);
      return client;
    } catch (error) {
      faults.push(error as Error);
      await client.end().catch(() => undefined);
    }
  }
  const [first] = faults;
  if (faults.length === 1) throw first;
  throw Object.assign(new Error(faults.map(({ message, code }) => message || code).join("; ")), { code: first?.code });
};

/** Connects at the start of a process or command: an unreachable server becomes one sentence for the operator. */
export const reachPrimary = async (url: string, options?: pg.ClientConfig): Promise<pg.Client> => {
  try {
    return await connectToPrimary(url, options);
  } catch (error) {
    throw error instanceof UserError ? error : new UserError(unreachable(url, error as Error));
  }
};

/** The error of a refused connection has no message when the host name has two addresses: use its code. */
const unreachable = (url: string, { message, code }: Error & { code?: string }): string => {
  const parsed = parseDatabaseUrl(url);
  const place = typeof parsed === "string" ? "PostgreSQL" : `PostgreSQL at ${parsed.hosts}, database ${parsed.database},`;
  return `${place} cannot be used: ${message || code}.`;
};

const drops = new WeakMap<pg.Pool, () => void>();

/** True when the server that `probe` is connected to accepts writes. If not, both pools search for the primary. */
export const takesWrites = async (probe: pg.Pool, pool: pg.Pool): Promise<boolean> => {
  const isReadOnly = await probe.query<ReadOnlyRow>(IS_READ_ONLY).then(
    ({ rows }) => rows[0]?.is_read_only !== false,
    (error: { code?: string }) => {
      if (error.code !== READ_ONLY) throw error;
      return true;
    },
  );
  if (isReadOnly) for (const one of [probe, pool]) drops.get(one)?.();
  return !isReadOnly;
};

/** Connections whose last commit no standby has confirmed. */
const unconfirmed = new WeakSet<pg.ClientBase>();

/**
 * Synchronous replication makes a commit wait for the standby. When that wait is cancelled, PostgreSQL reports a commit with a warning: the
 * change is stored here, but is lost if the standby takes over. Its outcome is unknown.
 */
export const refuseUnconfirmed = (client: pg.ClientBase): void => {
  if (unconfirmed.delete(client)) throw Object.assign(new Error("No standby has confirmed the commit"), { code: OUTCOME_UNKNOWN });
};

/** A single statement may have left its mark on the connection. It does not concern the next transaction. */
export const dropUnconfirmed = (client: pg.ClientBase): void => void unconfirmed.delete(client);

const OUTCOME_UNKNOWN = "08007";
/** PostgreSQL translates the warning's text, but not the name of the function that raises it. */
const WAITS_FOR_STANDBY = "SyncRepWaitForLSN";

type ErrorStream = { on(event: "errorMessage", listen: (error: { code?: string }) => void): void };

/**
 * After the first refused write no connection of the pool is used again, because the address may lead to another server now. Running
 * statements may finish.
 */
export const watchPrimary = (pool: pg.Pool, searchAgain: () => void): void => {
  let fresh = new WeakSet<pg.ClientBase>();
  const drop = (): void => {
    fresh = new WeakSet();
    searchAgain();
    // `pg.Pool` has no call to drop idle connections: take each one and release it as broken.
    for (let left = pool.idleCount; left > 0; left--)
      pool.connect().then(
        (client) => client.release(!fresh.has(client)),
        () => undefined,
      );
  };
  drops.set(pool, drop);
  pool.on("connect", (client) => {
    fresh.add(client);
    client.on("notice", ({ routine }) => {
      if (routine === WAITS_FOR_STANDBY) unconfirmed.add(client);
    });
    (client as unknown as { connection: ErrorStream }).connection.on("errorMessage", ({ code }) => {
      if (code === READ_ONLY && fresh.has(client)) drop();
    });
  });
  // The pool removes a client that is ending.
  pool.on("release", (_error, client) => {
    if (!fresh.has(client)) void client.end();
  });
};
