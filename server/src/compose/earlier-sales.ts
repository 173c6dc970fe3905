/** Counts the sales from before sums by hour, channel and dish were stored, a week of a venue at a time. */
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { openDb } from "#db/pool.ts";
import { oneRow } from "#db/query.ts";
import type { Deps } from "../deps.ts";
import { repeatEvery } from "./repeat-every.ts";

const EVERY_MS = 60_000;
/** The pause keeps a long history from slowing down requests. */
const PAUSE_MS = 20;

export const countEarlierSales = async (
  { pool, clock }: Pick<Deps, "pool" | "clock">,
  isStopping: () => boolean = () => false,
): Promise<void> => {
  const db = openDb(pool);
  for (let isDue = true; isDue && !isStopping(); await sleep(PAUSE_MS))
    isDue = (await oneRow(db.query(sql<{ is_due: boolean }>`select count_earlier_sales(${clock.now()}) as is_due`))).is_due;
};

/** Stopping waits for the current week. */
export const startCountingEarlierSales = (deps: Deps): (() => Promise<void>) =>
  repeatEvery(deps, {
    everyMs: EVERY_MS,
    failure: "earlier sales could not be counted; it is tried again in a minute",
    run: (isStopping) => countEarlierSales(deps, isStopping),
  });
