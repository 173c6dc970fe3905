/** Looks for orders that no screen has shown, and tells the managers of their venues. One statement serves all venues. */
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import { isLeaving } from "#db/venue-moves.ts";
import { tellOfUnseenOrders } from "#venue/orders/order-board/service.ts";
import type { Deps } from "../deps.ts";
import { asSystem } from "./as-system.ts";
import { repeatEvery } from "./repeat-every.ts";

const EVERY_MS = 15_000;
/** Further venues are found by the next round: those that were told are not found again for 15 minutes. */
const VENUES_MAX = 200;

/** A venue that fails does not hold up the others. */
export const alarmUnseenOrders = async (deps: Deps, isStopping: () => boolean = () => false): Promise<void> => {
  const db = openDb(deps.pool);
  const venues = await db.query(sql<{ id: number }>`select venues_with_unseen_orders(${deps.clock.now()}, ${VENUES_MAX}::integer) as id`);
  for (const { id } of venues) {
    if (isStopping()) return;
    try {
      if (!(await isLeaving(db, id))) await asSystem(deps, id)((ctx) => tellOfUnseenOrders(ctx));
    } catch (error) {
      deps.log.warn({ err: error, restaurant: id }, "unseen orders of a venue could not be told; it is tried again in 15 seconds");
    }
  }
};

export const startBoardAlarm = (deps: Deps): (() => Promise<void>) =>
  repeatEvery(deps, {
    everyMs: EVERY_MS,
    failure: "the search for unseen orders failed; it runs again in 15 seconds",
    run: (isStopping) => alarmUnseenOrders(deps, isStopping),
  });
