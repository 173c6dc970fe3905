/** What belongs to the house and to no venue: people, their sessions, the registry of apps, consents. */
import type pg from "pg";
import type { Clock } from "#lib/clock.ts";
import type { HouseCtx } from "#lib/context.ts";
import { transaction } from "./pool.ts";

/** No venue has this id, so a transaction bound to it sees no venue's rows. */
const NO_VENUE = 0;

type Held = { pool: pg.Pool; clock: Clock };

export const inHouse = <T>(
  { pool, clock }: Held,
  from: Pick<HouseCtx, "log" | "origin">,
  work: (ctx: HouseCtx) => Promise<T>,
): Promise<T> => transaction(pool, NO_VENUE, async ({ db, startedAt }) => work({ db, now: clock.ofChange(await startedAt), ...from }));
