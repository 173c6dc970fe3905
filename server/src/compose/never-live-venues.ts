/** Looks for venues that were opened in the browser and never taken live: warns their owners, and removes them a week later. */
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import type { Db } from "#db/query.ts";
import { withTenant } from "#db/with-tenant.ts";
import { tenantById } from "#platform/tenants/service.ts";
import { sandboxIdOf } from "#venue/sandbox/service.ts";
import { removalLimits, warnOpenedBefore } from "#venue/setup/sign-up/rules/never-live.ts";
import { removeVenue, warnOfRemoval } from "#venue/setup/sign-up/service/never-live.ts";
import type { Deps } from "../deps.ts";
import { asSystem } from "./as-system.ts";
import { repeatEvery } from "./repeat-every.ts";

const EVERY_MS = 10 * 60_000;
/** Further venues are found by the next round. */
const VENUES_MAX = 200;

type VenueWork = (deps: Deps, id: number) => Promise<unknown>;

const neverLive = async (db: Db, openedBefore: Date, warnedBefore: Date | null): Promise<number[]> =>
  (
    await db.query(
      sql<{ id: number }>`select never_live_venues(${openedBefore}, ${warnedBefore}::timestamptz, ${VENUES_MAX}::integer) as id`,
    )
  ).map(({ id }) => id);

const warn: VenueWork = (deps, id) => asSystem(deps, id)((ctx) => warnOfRemoval(ctx));

/** Both locks are exclusive: no write of the venue or its sandbox runs meanwhile. */
const remove: VenueWork = async (deps, id) => {
  const sandboxId = await asSystem(deps, id)((ctx) => sandboxIdOf(ctx));
  const ids = [id, ...(sandboxId === null ? [] : [sandboxId])];
  const access = {
    tenant: tenantById(id),
    actor: { kind: "system" as const, id: null, name: "Comanda", scopes: [], caller: "system" },
    from: { log: deps.log, origin: { requestId: null, address: null } },
    locks: ids.map((venue) => ({ of: "venue" as const, id: venue, mode: "exclusive" as const })),
  };
  return withTenant(deps, access, (ctx) => removeVenue(ctx));
};

/** A venue that fails does not hold up the others. */
export const endNeverLiveVenues = async (deps: Deps, isStopping: () => boolean = () => false): Promise<void> => {
  const [db, now] = [openDb(deps.pool), deps.clock.now()];
  const { openedBefore, warnedBefore } = removalLimits(now);
  const due: [number[], VenueWork][] = [
    [await neverLive(db, warnOpenedBefore(now), null), warn],
    [await neverLive(db, openedBefore, warnedBefore), remove],
  ];
  for (const [ids, work] of due)
    for (const id of ids) {
      if (isStopping()) return;
      await work(deps, id).catch((error: unknown) =>
        deps.log.warn({ err: error, restaurant: id }, "a venue that never was live could not be warned or removed; it is tried again"),
      );
    }
};

export const startEndingNeverLive = (deps: Deps): (() => Promise<void>) =>
  repeatEvery(deps, {
    everyMs: EVERY_MS,
    failure: "the search for venues that never were live failed; it runs again in ten minutes",
    run: (isStopping) => endNeverLiveVenues(deps, isStopping),
  });
