/** What a command works with: an open database, and the operator as the one who acts. */
import { asOperator, OPERATOR_ORIGIN, type OperatorOptions } from "#compose/as-operator.ts";
import { readConfig } from "#config.ts";
import { checkKeys } from "#db/encryption-key-check.ts";
import { inGlobalTransaction } from "#db/global-transaction.ts";
import { openDb, transaction } from "#db/pool.ts";
import { type Deps, openCommandLog, openDeps } from "#deps.ts";
import { openDevDatabase } from "#dev/database.ts";
import type { Ctx, GlobalContext } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { readRestaurant, restaurantIdOf, tenantOf } from "#platform/tenants/service.ts";
import { printDatabase } from "./print.ts";

export type CommandContext = { deps: Deps; rootUrl: string };

const ROWS_MAX = 1000;

/** What `--rows` says, within reason. */
export const readRowCount = (text: string, fallback: number): number => Math.min(Math.max(1, Number(text) || fallback), ROWS_MAX);

/** Without DATABASE_URL the development database is used, if there is one. */
export const withCommandContext = async <T>(work: (session: CommandContext) => Promise<T>): Promise<T> => {
  const environment = { LOG_LEVEL: "warn", ...process.env };
  const isNamed = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE;
  const dev = isNamed ? null : await openDevDatabase(Number(process.env.CELL ?? 0), "DATABASE_URL");
  try {
    const config = readConfig(dev ? { ENCRYPTION_KEYS: dev.encryptionKeys, ...environment, DATABASE_URL: dev.appUrl } : environment);
    printDatabase(config.databaseUrl, config.cell);
    const deps = await openDeps(config, { log: openCommandLog(config.logLevel) });
    const rootUrl = config.publicUrl ?? dev?.rootUrl ?? `http://${config.host}:${config.port}`;
    try {
      return await work({ deps, rootUrl });
    } finally {
      await deps.close();
      // PostgreSQL may end a connection before we have closed it, which is no failure of the command.
      deps.log.level = "silent";
    }
  } finally {
    await dev?.close();
  }
};

/** One transaction for what belongs to no venue. */
export const withoutVenue = <T>(deps: Deps, work: (ctx: GlobalContext) => Promise<T>): Promise<T> =>
  inGlobalTransaction(deps, { log: deps.log, origin: OPERATOR_ORIGIN }, work);

export const forVenue = async <T>(deps: Deps, slug: string, work: (ctx: Ctx) => Promise<T>, manner: OperatorOptions = {}): Promise<T> =>
  forVenueId(deps, await restaurantIdOf(openDb(deps.pool), slug), work, manner);

/** Finds the venue by its id, for commands that go over venues: a sandbox has no name that others know. */
export const forVenueId = async <T>(deps: Deps, id: number, work: (ctx: Ctx) => Promise<T>, manner: OperatorOptions = {}): Promise<T> => {
  const row = await transaction(deps.pool, id, ({ db }) => readRestaurant(db, id));
  return asOperator(deps, tenantOf(row), work, manner);
};

/** A command that encrypts or decrypts a secret refuses keys that do not fit the database, before anything is done. */
export const checkedKeys = async ({ pool, config: { encryptionKeys } }: Deps): Promise<readonly EncryptionKey[]> => {
  if (encryptionKeys.length > 0) await checkKeys(pool, encryptionKeys);
  return encryptionKeys;
};
