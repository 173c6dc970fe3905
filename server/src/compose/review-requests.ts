/** Looks for guests who are to be asked for a review, and asks them. One statement finds the venues. */
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import { isLeaving } from "#db/venue-moves.ts";
import { askDueGuests } from "#venue/guest-records/reviews/service/requests.ts";
import type { Deps } from "../deps.ts";
import { asSystem } from "./as-system.ts";
import { repeatEvery } from "./repeat-every.ts";

const EVERY_MS = 15_000;
/** Further ones are found by the next round. */
const ROWS_MAX = 1000;

/** A venue that fails does not hold up the others. Without a key no link can be signed, so no guest is asked. */
export const askForReviews = async (deps: Deps, isStopping: () => boolean = () => false): Promise<void> => {
  if (deps.config.encryptionKeys.length === 0) return;
  const db = openDb(deps.pool);
  const venues = await db.query(
    sql<{ id: number }>`select venues_with_due_review_requests(${deps.clock.now()}, ${ROWS_MAX}::integer) as id`,
  );
  for (const { id } of venues) {
    if (isStopping()) return;
    try {
      if (!(await isLeaving(db, id))) await asSystem(deps, id)((ctx) => askDueGuests(ctx));
    } catch (error) {
      deps.log.warn(
        { err: error, restaurant: id },
        "the guests of a venue could not be asked for reviews; it is tried again in 15 seconds",
      );
    }
  }
};

export const startAskingForReviews = (deps: Deps): (() => Promise<void>) =>
  repeatEvery(deps, {
    everyMs: EVERY_MS,
    failure: "the search for guests to ask for reviews failed; it runs again in 15 seconds",
    run: (isStopping) => askForReviews(deps, isStopping),
  });
