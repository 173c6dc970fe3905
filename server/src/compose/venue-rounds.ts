/** Looks again and again for venues in which something is due. */
import { openDb } from "#db/pool.ts";
import { isLeaving } from "#db/venue-moves.ts";
import { withTenant } from "#db/with-tenant.ts";
import type { InVenue, VenueRound } from "#platform/jobs/service.ts";
import { tenantById } from "#platform/tenants/service.ts";
import { dueReviewRequests } from "#venue/guest-records/reviews/jobs.ts";
import { unseenOrders } from "#venue/orders/order-board/jobs.ts";
import { sandboxIdOf } from "#venue/sandbox/service.ts";
import { removals, removalWarnings } from "#venue/setup/sign-up/jobs.ts";
import type { Deps } from "../deps.ts";
import { asSystem, SYSTEM } from "./as-system.ts";
import { repeatEvery } from "./repeat-every.ts";

/** Without a key no link to a review can be signed, so no guest is asked. */
const roundsOf = ({ config }: Deps): VenueRound[] => [
  unseenOrders,
  removalWarnings,
  removals,
  ...(config.encryptionKeys.length === 0 ? [] : [dueReviewRequests]),
];

const alone =
  (deps: Deps, id: number): InVenue =>
  async (work) => {
    const sandboxId = await asSystem(deps, id)((ctx) => sandboxIdOf(ctx));
    const locks = [id, ...(sandboxId === null ? [] : [sandboxId])].map((venue) => ({
      of: "venue" as const,
      id: venue,
      mode: "exclusive" as const,
    }));
    return withTenant(
      deps,
      { tenant: tenantById(id), actor: SYSTEM, from: { log: deps.log, origin: { requestId: null, address: null } }, locks },
      work,
    );
  };

/** A venue that fails does not hold up the others. */
export const runRound = async (deps: Deps, round: VenueRound, isStopping: () => boolean = () => false): Promise<void> => {
  const db = openDb(deps.pool);
  for (const id of await round.findVenues(db, deps.clock.now())) {
    if (isStopping()) return;
    try {
      if (!(await isLeaving(db, id))) await round.run(round.isAlone ? alone(deps, id) : asSystem(deps, id));
    } catch (error) {
      deps.log.warn({ err: error, restaurant: id }, round.failure);
    }
  }
};

export const startVenueRounds = (deps: Deps): (() => Promise<void>) => {
  const stops = roundsOf(deps).map((round) =>
    repeatEvery(deps, {
      everyMs: round.everyMs,
      failure: `venues were not found: ${round.failure}`,
      run: (isStopping) => runRound(deps, round, isStopping),
    }),
  );
  return async () => void (await Promise.all(stops.map((stop) => stop())));
};
