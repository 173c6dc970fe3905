/** Opens a transaction without a tenant: users, their sessions, registered apps, consents. `with-tenant.ts` is its sibling. */
import type pg from "pg";
import type { Clock } from "#lib/clock.ts";
import type { GlobalContext } from "#lib/context.ts";
import type { AccessLock } from "./access-locks.ts";
import { transaction } from "./pool.ts";
import type { BegunTransaction } from "./with-tenant.ts";

/** No tenant has this id, so row level security hides every tenant's rows. */
const NO_VENUE = 0;

type GlobalDeps = { pool: pg.Pool; clock: Clock };

/** `check` runs in the round trip of the begin. What it throws rolls the transaction back before the work starts. */
type GlobalAccess = { locks?: readonly AccessLock[]; check?(begun: BegunTransaction): Promise<unknown> };

export const inGlobalTransaction = <T>(
  { pool, clock }: GlobalDeps,
  from: Pick<GlobalContext, "log" | "origin">,
  work: (ctx: GlobalContext) => Promise<T>,
  { locks, check }: GlobalAccess = {},
): Promise<T> =>
  transaction(
    pool,
    NO_VENUE,
    async ({ db, startedAt }) => {
      const begunAt = startedAt.then((moment) => clock.ofChange(moment));
      const [now] = await Promise.all([begunAt, check?.({ db, now: begunAt })]);
      return work({ db, now, ...from });
    },
    locks,
  );
