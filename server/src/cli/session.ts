/** What a command works with: an open database, and the operator as the one who acts. */
import { userInfo } from "node:os";
import { readConfig } from "#config.ts";
import { enterVenue } from "#db/entrance.ts";
import { inHouse } from "#db/house.ts";
import { openDb, transaction } from "#db/pool.ts";
import { type Deps, openDeps, openLog } from "#deps.ts";
import { openDevDatabase } from "#dev/database.ts";
import type { Ctx, Entrance, HouseCtx, Origin, Tenant } from "#lib/context.ts";
import { readRestaurant, restaurantIdOf, tenantOf } from "#platform/tenants/service.ts";

export type Session = { deps: Deps; rootUrl: string };

const OPERATOR_CALLER = "operator";
const AT_THE_KEYBOARD: Origin = { requestId: null, address: null };
const ROWS_MAX = 1000;

/** What `--rows` says, within reason. */
export const readRowCount = (text: string, fallback: number): number => Math.min(Math.max(1, Number(text) || fallback), ROWS_MAX);

/** Without DATABASE_URL the development database is used, and started if it is not running. */
export const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
  const environment = { LOG_LEVEL: "warn", ...process.env };
  const dev = process.env.DATABASE_URL || process.env.DATABASE_URL_FILE ? null : await openDevDatabase(Number(process.env.CELL ?? 0));
  try {
    const config = readConfig(dev ? { SECRET_KEYS: dev.secretKeys, ...environment, DATABASE_URL: dev.appUrl } : environment);
    const deps = await openDeps(config, { log: openLog(config.logLevel) });
    const rootUrl = config.publicUrl ?? dev?.rootUrl ?? `http://${config.host}:${config.port}`;
    try {
      return await work({ deps, rootUrl });
    } finally {
      await deps.close();
    }
  } finally {
    await dev?.close();
  }
};

/** One transaction for one venue, recorded as done by the person at the keyboard. */
export const asOperator = <T>(deps: Deps, tenant: Tenant, work: (ctx: Ctx) => Promise<T>, entrance?: Entrance): Promise<T> =>
  transaction(deps.pool, tenant.id, async ({ db, startedAt }) => {
    enterVenue(db, tenant, entrance);
    return work({
      tenant,
      actor: { kind: "operator", id: null, name: userInfo().username, scopes: [], caller: OPERATOR_CALLER },
      now: deps.clock.ofChange(await startedAt),
      db,
      log: deps.log,
      origin: AT_THE_KEYBOARD,
      cursorKey: deps.cursorKey,
    });
  });

/** One transaction for what belongs to no venue. */
export const forHouse = <T>(deps: Deps, work: (ctx: HouseCtx) => Promise<T>): Promise<T> =>
  inHouse(deps, { log: deps.log, origin: AT_THE_KEYBOARD }, work);

export const forVenue = async <T>(deps: Deps, slug: string, work: (ctx: Ctx) => Promise<T>): Promise<T> => {
  const id = await restaurantIdOf(openDb(deps.pool), slug);
  const row = await transaction(deps.pool, id, ({ db }) => readRestaurant(db, id));
  return asOperator(deps, tenantOf(row), work);
};
