/** What a command works with: an open database, and the operator as the one who acts. */
import { userInfo } from "node:os";
import { readConfig } from "#config.ts";
import type { AccessLock } from "#db/access.ts";
import { enterVenue } from "#db/entrance.ts";
import { inHouse } from "#db/house.ts";
import { checkKeys } from "#db/key-check.ts";
import { openDb, transaction } from "#db/pool.ts";
import { type Deps, openCommandLog, openDeps } from "#deps.ts";
import { openDevDatabase } from "#dev/database.ts";
import type { Ctx, Entrance, HouseCtx, Origin, Tenant } from "#lib/context.ts";
import { Misuse } from "#lib/errors.ts";
import type { SecretKey } from "#lib/sealed.ts";
import { readRestaurant, restaurantIdOf, tenantOf } from "#platform/tenants/service.ts";
import { sayWhere } from "./print.ts";

export type Session = { deps: Deps; rootUrl: string };

const OPERATOR_CALLER = "operator";
const AT_THE_KEYBOARD: Origin = { requestId: null, address: null };
const ROWS_MAX = 1000;

/** What `--rows` says, within reason. */
export const readRowCount = (text: string, fallback: number): number => Math.min(Math.max(1, Number(text) || fallback), ROWS_MAX);

/** Without DATABASE_URL the development database is used, if there is one. */
export const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
  const environment = { LOG_LEVEL: "warn", ...process.env };
  const isNamed = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE;
  const dev = isNamed ? null : await openDevDatabase(Number(process.env.CELL ?? 0), "DATABASE_URL");
  try {
    const config = readConfig(dev ? { SECRET_KEYS: dev.secretKeys, ...environment, DATABASE_URL: dev.appUrl } : environment);
    sayWhere(config.databaseUrl, config.cell);
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

/** `revokes`: the command ends somebody's access, so it waits for the writes that are running and is done after them. */
export type Manner = { entrance?: Entrance; revokes?: boolean };

/** One transaction for one venue, recorded as done by the person at the keyboard. */
export const asOperator = <T>(deps: Deps, tenant: Tenant, work: (ctx: Ctx) => Promise<T>, manner: Manner = {}): Promise<T> => {
  const access: AccessLock[] = manner.revokes ? [{ of: "venue", id: tenant.id, mode: "exclusive" }] : [];
  const done = transaction(
    deps.pool,
    tenant.id,
    async ({ db, startedAt }) => {
      enterVenue(db, tenant, manner.entrance);
      return work({
        tenant,
        actor: { kind: "operator", id: null, name: userInfo().username, scopes: [], caller: OPERATOR_CALLER },
        now: deps.clock.ofChange(await startedAt),
        db,
        log: deps.log,
        origin: AT_THE_KEYBOARD,
        cursorKey: deps.cursorKey,
      });
    },
    access,
  );
  return manner.revokes ? done.catch((error: unknown) => refuseBusy(tenant, error)) : done;
};

const LOCK_NOT_AVAILABLE = "55P03";

const refuseBusy = ({ slug }: Tenant, error: unknown): never => {
  if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
  throw new Misuse(`Writes of ${slug} were still running after two seconds. Nothing was changed: run the command again.`);
};

/** One transaction for what belongs to no venue. */
export const forHouse = <T>(deps: Deps, work: (ctx: HouseCtx) => Promise<T>): Promise<T> =>
  inHouse(deps, { log: deps.log, origin: AT_THE_KEYBOARD }, work);

export const forVenue = async <T>(deps: Deps, slug: string, work: (ctx: Ctx) => Promise<T>, manner: Manner = {}): Promise<T> =>
  forVenueId(deps, await restaurantIdOf(openDb(deps.pool), slug), work, manner);

/** By its id, for commands that go over venues: a sandbox has no name that is told to others. */
export const forVenueId = async <T>(deps: Deps, id: number, work: (ctx: Ctx) => Promise<T>, manner: Manner = {}): Promise<T> => {
  const row = await transaction(deps.pool, id, ({ db }) => readRestaurant(db, id));
  return asOperator(deps, tenantOf(row), work, manner);
};

/** For a command that seals or opens a secret: keys that do not fit the database are refused before anything is done. */
export const fittingKeys = async ({ pool, config: { secretKeys } }: Deps): Promise<readonly SecretKey[]> => {
  if (secretKeys.length > 0) await checkKeys(pool, secretKeys);
  return secretKeys;
};
