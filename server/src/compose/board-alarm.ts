/** Looks for orders that no screen has shown, and tells the managers of their venues. One statement serves all venues. */
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import { isLeaving } from "#db/venue-moves.ts";
import { tellOfUnseenOrders } from "#venue/order-board/service.ts";
import type { Deps } from "../deps.ts";
import { asSystem } from "./as-system.ts";

const EVERY_MS = 15_000;
/** Further venues are found by the next round: those that were told are not found again for 15 minutes. */
const VENUES_MAX = 200;

export const alarmUnseenOrders = async (deps: Deps): Promise<void> => {
  const db = openDb(deps.pool);
  const venues = await db.query(sql<{ id: number }>`select venues_with_unseen_orders(${deps.clock.now()}, ${VENUES_MAX}::integer) as id`);
  for (const { id } of venues) {
    if (await isLeaving(db, id)) continue;
    await asSystem(deps, id)((ctx) => tellOfUnseenOrders(ctx));
  }
};

/** One round at a time. Stopping waits for the current one. */
export const startBoardAlarm = (deps: Deps): (() => Promise<void>) => {
  let round: Promise<void> | null = null;
  const begin = (): void => {
    round ??= alarmUnseenOrders(deps)
      .catch((error: unknown) => deps.log.warn({ err: error }, "the search for unseen orders failed; it runs again in 15 seconds"))
      .finally(() => {
        round = null;
      });
  };
  const timer = setInterval(begin, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await round;
  };
};
