/**
 * The server that takes writes. A standby is never used, not even for reads: it may not yet know that a token was revoked.
 * Of several hosts the first that takes writes is used, and another one is looked for when it no longer does.
 */
import { callbackify } from "node:util";
import pg from "pg";
import { parseDatabaseUrl } from "#lib/database-url.ts";
import { Misuse } from "#lib/errors.ts";

/** PostgreSQL's code for a write on a server or in a session that takes none. */
export const READ_ONLY = "25006";

/** True on a standby, and on a primary that was set to `default_transaction_read_only`. */
export const IS_READ_ONLY = "select current_setting('transaction_read_only') = 'on' as is_read_only";

type ReadOnlyRow = { is_read_only: boolean };

export const refuseReadOnly = (rows: readonly ReadOnlyRow[], otherwise: () => void = () => undefined): void => {
  if (rows[0]?.is_read_only === false) return;
  otherwise();
  throw Object.assign(new Error("it takes no writes, because it is a standby or read-only"), { code: READ_ONLY });
};

const urlsIn = (url: string): readonly string[] => {
  const parsed = parseDatabaseUrl(url);
  if (typeof parsed === "string") throw new Misuse(`The address of PostgreSQL ${parsed}`);
  return parsed.urls;
};

type Place = { host: string; port: number };

type Primary = {
  /** For `pg.Pool`, which makes its clients itself: each goes to the host that takes writes. */
  Client: typeof pg.Client;
  /** Looks at all hosts again before the next connection. */
  forget(): void;
};

const SEARCH_MS_MAX = 1500;

/** All hosts are asked at once, and the first that takes writes is it: one that is gone may take its time to say so. */
const search = async (urls: readonly string[]): Promise<Place> => {
  const found = await Promise.any(
    urls.map(async (url): Promise<Place> => {
      // A pooler may answer for a server that is gone, and keep the question.
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
  let found: Promise<Place> | null = null;
  const forget = (): void => {
    found = null;
  };
  const find = (): Promise<Place> => {
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
          forget();
          throw error;
        }
      };
      this.connect = callbackify(findAndConnect) as typeof this.connect;
    }
  }
  return { Client: PrimaryClient as typeof pg.Client, forget };
};

/** One connection of its own to the first host that takes writes. */
export const connectToPrimary = async (url: string, options: pg.ClientConfig = {}): Promise<pg.Client> => {
  const faults: (Error & { code?: string })[] = [];
  for (const one of urlsIn(url)) {
    const client = new pg.Client({ connectionTimeoutMillis: 5000, ...options, connectionString: one });
    // Without a listener a connection that is lost would end the process; whoever uses it sees its statement fail.
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

/** The same at the start of a process or command, where a server that cannot be reached is a sentence for the operator. */
export const reachPrimary = async (url: string, options?: pg.ClientConfig): Promise<pg.Client> => {
  try {
    return await connectToPrimary(url, options);
  } catch (error) {
    throw error instanceof Misuse ? error : new Misuse(unreachable(url, error as Error));
  }
};

/** A refused connection has no message of its own where a name has two addresses. */
const unreachable = (url: string, { message, code }: Error & { code?: string }): string => {
  const parsed = parseDatabaseUrl(url);
  const place = typeof parsed === "string" ? "PostgreSQL" : `PostgreSQL at ${parsed.hosts}, database ${parsed.database},`;
  return `${place} cannot be used: ${message || code}.`;
};

const drops = new WeakMap<pg.Pool, () => void>();

/** Whether the server that `probe` is connected to takes writes now. If not, both pools look for one that does. */
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

/** The commit that each connection has made, but that no standby has confirmed. */
const unconfirmed = new WeakSet<pg.ClientBase>();

/**
 * Where replication is synchronous, a commit waits for the standby. Whoever cancels that wait is told of a commit, and of the risk by a
 * mere warning: the change is here, and lost if the standby takes over. So its outcome is not known yet.
 */
export const refuseUnconfirmed = (client: pg.ClientBase): void => {
  if (unconfirmed.delete(client)) throw Object.assign(new Error("No standby has confirmed the commit"), { code: OUTCOME_UNKNOWN });
};

/** A statement without a transaction may have left its mark: nobody was told of that one, and it says nothing of the next. */
export const forgetUnconfirmed = (client: pg.ClientBase): void => void unconfirmed.delete(client);

const OUTCOME_UNKNOWN = "08007";
/** Unlike the warning's text, the name of the function in PostgreSQL is the same in every language. */
const WAITS_FOR_STANDBY = "SyncRepWaitForLSN";

type Wire = { on(event: "errorMessage", listen: (error: { code?: string }) => void): void };

/**
 * After the first refused write none of the pool's connections is used again: the address may lead to another server by now.
 * What runs on them is left to end.
 */
export const watchPrimary = (pool: pg.Pool, forget: () => void): void => {
  let fresh = new WeakSet<pg.ClientBase>();
  const drop = (): void => {
    fresh = new WeakSet();
    forget();
    // Each is taken out of the pool by the pool's own means: fetched, and not given back.
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
    (client as unknown as { connection: Wire }).connection.on("errorMessage", ({ code }) => {
      if (code === READ_ONLY && fresh.has(client)) drop();
    });
  });
  // The pool keeps no client that has begun to end.
  pool.on("release", (_error, client) => {
    if (!fresh.has(client)) void client.end();
  });
};
