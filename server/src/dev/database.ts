/** The development database in `.comanda/`. `npm run dev` creates it; commands use the running one or start it. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createDatabase, type DatabaseUrls, databaseExists, dropDatabase, ensureRoles, urlsFor } from "#db/create-database.ts";
import { APP_ROLE, MigrationHistoryError, migrate } from "#db/migrate.ts";
import { UserError } from "#lib/errors.ts";
import { type LocalPostgres, startPostgres } from "./postgres.ts";

const FOLDER = fileURLToPath(new URL("../../../.comanda", import.meta.url));
const ADDRESS_FILE = `${FOLDER}/running.json`;
/** Only `npm run dev` writes it. Without it, commands fail. */
const MARKER_FILE = `${FOLDER}/made-by-npm-run-dev`;
const KEYS_FILE = `${FOLDER}/encryption-keys`;
const NAME = "comanda";

type RunningAddress = { adminUrl: string; rootUrl: string | null };

export type DevDatabase = DatabaseUrls & {
  rootUrl: string | null;
  isOurs: boolean;
  /** The value of ENCRYPTION_KEYS when it is not set. It is stored with the data that it encrypts. */
  encryptionKeys: string;
  close(): Promise<void>;
};

/** True: the database of other migrations is dropped and created again. */
type MayStartOver = () => Promise<boolean>;

/** `npm run dev` uses it and handles signals itself. */
export const createDevDatabase = async (cell: number, mayStartOver: MayStartOver): Promise<DevDatabase> => {
  const database = await openInFolder(cell, { ownGroup: true, mayStartOver });
  writeFileSync(MARKER_FILE, "");
  return database;
};

/** Commands use it. It creates no database, so that a command without its settings changes nothing. */
export const openDevDatabase = (cell: number, missing: string): Promise<DevDatabase> => {
  if (!existsSync(MARKER_FILE))
    throw new UserError(`${missing} is not set, and \`npm run dev\` has made no development database here. Set ${missing}.`);
  return openInFolder(cell, { ownGroup: false, mayStartOver: () => Promise.resolve(false) });
};

type OpenOptions = { ownGroup: boolean; mayStartOver: MayStartOver };

const openInFolder = async (cell: number, { ownGroup, mayStartOver }: OpenOptions): Promise<DevDatabase> => {
  const running = await readRunning();
  if (running) return describe(running, null);
  const server = await startPostgres({ folder: `${FOLDER}/postgres`, durable: true, ownGroup });
  try {
    const address = { adminUrl: server.adminUrl, rootUrl: null };
    announce(address);
    await bringUpToDate(address, cell, mayStartOver);
    return describe(address, server);
  } catch (error) {
    await close(server);
    throw error;
  }
};

/** All roles share the server's generated password, because this database is reachable from this machine only. */
const loginsOf = ({ adminUrl }: RunningAddress) => ({ owner: "comanda_owner", app: APP_ROLE, password: new URL(adminUrl).password });

const bringUpToDate = async (address: RunningAddress, cell: number, mayStartOver: MayStartOver): Promise<void> => {
  const { adminUrl } = address;
  const logins = loginsOf(address);
  await ensureRoles(adminUrl, logins);
  if (!(await databaseExists(adminUrl, NAME))) await createDatabase(adminUrl, NAME, logins.owner);
  const { ownerUrl } = urlsFor(adminUrl, NAME, logins);
  try {
    await migrate(ownerUrl, cell);
  } catch (error) {
    if (!(error instanceof MigrationHistoryError)) throw error;
    if (!(await mayStartOver()))
      throw new UserError(
        "The development database was made by other migrations and cannot be upgraded. `npm run dev -- --start-over` replaces it with an empty one.",
      );
    await dropDatabase(adminUrl, NAME);
    await createDatabase(adminUrl, NAME, logins.owner);
    await migrate(ownerUrl, cell);
  }
};

const describe = (address: RunningAddress, server: LocalPostgres | null): DevDatabase => ({
  ...urlsFor(address.adminUrl, NAME, loginsOf(address)),
  rootUrl: address.rootUrl,
  isOurs: server !== null,
  encryptionKeys: readOrMakeKeys(),
  close: async () => {
    if (server) await close(server);
  },
});

const close = async (server: LocalPostgres): Promise<void> => {
  rmSync(ADDRESS_FILE, { force: true });
  await server.stop();
};

const readOrMakeKeys = (): string => {
  if (!existsSync(KEYS_FILE)) writeFileSync(KEYS_FILE, `dev:${randomBytes(32).toString("base64")}`, { mode: 0o600, flag: "wx" });
  return readFileSync(KEYS_FILE, "utf8").trim();
};

/** Tells commands in other terminals where the database and the service are. */
export const announceService = (rootUrl: string): void => {
  const { adminUrl } = JSON.parse(readFileSync(ADDRESS_FILE, "utf8")) as RunningAddress;
  announce({ adminUrl, rootUrl });
};

const announce = (address: RunningAddress): void => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(ADDRESS_FILE, JSON.stringify(address), { mode: 0o600 });
};

const readRunning = async (): Promise<RunningAddress | null> => {
  if (!existsSync(ADDRESS_FILE)) return null;
  const address = JSON.parse(readFileSync(ADDRESS_FILE, "utf8")) as RunningAddress;
  const client = new pg.Client({ connectionString: address.adminUrl, connectionTimeoutMillis: 1000 });
  try {
    await client.connect();
    await client.end();
    return address;
  } catch {
    return null;
  }
};
