/** What belongs to the house and to no venue: people, their sessions, the registry of apps, consents. */
import type pg from "pg";
import type { Clock } from "#lib/clock.ts";
import type { HouseCtx } from "#lib/context.ts";
import type { AccessLock } from "./access.ts";
import { type Transaction, transaction } from "./pool.ts";

/** No venue has this id, so a transaction bound to it sees no venue's rows. */
const NO_VENUE = 0;

type Held = { pool: pg.Pool; clock: Clock };

/** `check` travels with the begin; what it throws ends the transaction before the work begins. */
type Access = { locks?: readonly AccessLock[]; check?(begun: Transaction): Promise<unknown> };

export const inHouse = <T>(
  { pool, clock }: Held,
  from: Pick<HouseCtx, "log" | "origin">,
  work: (ctx: HouseCtx) => Promise<T>,
  { locks, check }: Access = {},
): Promise<T> =>
  transaction(
    pool,
    NO_VENUE,
    async (begun) => {
      const [moment] = await Promise.all([begun.startedAt, check?.(begun)]);
      return work({ db: begun.db, now: clock.ofChange(moment), ...from });
    },
    locks,
  );
