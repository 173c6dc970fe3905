/** The database that `npm run dev` makes in `.comanda/`: commands share it while it runs, and start it when it does not. */
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { APP_ROLE, migrate } from "#db/migrate.ts";
import { createDatabase, type DatabaseUrls, databaseExists, ensureRoles, urlsFor } from "#db/setup.ts";
import { Misuse } from "#lib/errors.ts";
import { type LocalPostgres, startPostgres } from "./postgres.ts";

const FOLDER = fileURLToPath(new URL("../../../.comanda", import.meta.url));
const ADDRESS_FILE = `${FOLDER}/running.json`;
/** Written by `npm run dev` alone. A command without it has nothing to work on. */
const MARKER_FILE = `${FOLDER}/made-by-npm-run-dev`;
const KEYS_FILE = `${FOLDER}/secret-keys`;
const NAME = "comanda";

type Address = { adminUrl: string; rootUrl: string | null };

export type DevDatabase = DatabaseUrls & {
  rootUrl: string | null;
  isOurs: boolean;
  /** What SECRET_KEYS is when nobody sets it: as old as the data that was sealed with it. */
  secretKeys: string;
  close(): Promise<void>;
};

/** For `npm run dev`, which handles signals itself. */
export const makeDevDatabase = async (cell: number): Promise<DevDatabase> => {
  const database = await openInFolder(cell, { ownGroup: true });
  writeFileSync(MARKER_FILE, "");
  return database;
};

/** For commands: never makes one, so that a command without its settings changes nothing anywhere. */
export const openDevDatabase = (cell: number, missing: string): Promise<DevDatabase> => {
  if (!existsSync(MARKER_FILE))
    throw new Misuse(`${missing} is not set, and \`npm run dev\` has made no development database here. Set ${missing}.`);
  return openInFolder(cell, { ownGroup: false });
};

const openInFolder = async (cell: number, { ownGroup }: { ownGroup: boolean }): Promise<DevDatabase> => {
  const running = await readRunning();
  if (running) return describe(running, null);
  const server = await startPostgres({ folder: `${FOLDER}/postgres`, durable: true, ownGroup });
  try {
    const address = { adminUrl: server.adminUrl, rootUrl: null };
    announce(address);
    await bringUpToDate(address, cell);
    return describe(address, server);
  } catch (error) {
    await close(server);
    throw error;
  }
};

/** Roles share the server's own generated password: this database is reachable from this machine only. */
const loginsOf = ({ adminUrl }: Address) => ({ owner: "comanda_owner", app: APP_ROLE, password: new URL(adminUrl).password });

const bringUpToDate = async (address: Address, cell: number): Promise<void> => {
  const { adminUrl } = address;
  const logins = loginsOf(address);
  await ensureRoles(adminUrl, logins);
  if (!(await databaseExists(adminUrl, NAME))) await createDatabase(adminUrl, NAME, logins.owner);
  await migrate(urlsFor(adminUrl, NAME, logins).ownerUrl, cell);
};

const describe = (address: Address, server: LocalPostgres | null): DevDatabase => ({
  ...urlsFor(address.adminUrl, NAME, loginsOf(address)),
  rootUrl: address.rootUrl,
  isOurs: server !== null,
  secretKeys: readOrMakeKeys(),
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
  const { adminUrl } = JSON.parse(readFileSync(ADDRESS_FILE, "utf8")) as Address;
  announce({ adminUrl, rootUrl });
};

const announce = (address: Address): void => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(ADDRESS_FILE, JSON.stringify(address), { mode: 0o600 });
};

const readRunning = async (): Promise<Address | null> => {
  if (!existsSync(ADDRESS_FILE)) return null;
  const address = JSON.parse(readFileSync(ADDRESS_FILE, "utf8")) as Address;
  const client = new pg.Client({ connectionString: address.adminUrl, connectionTimeoutMillis: 1000 });
  try {
    await client.connect();
    await client.end();
    return address;
  } catch {
    return null;
  }
};
