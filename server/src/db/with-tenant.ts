/** Opens a tenant's transaction and its context. `global-transaction.ts` does the same for work without a tenant. */
import type pg from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Actor, Ctx, LockMode, Tenant, TenantById } from "#lib/context.ts";
import type { AccessLock } from "./access-locks.ts";
import { transaction } from "./pool.ts";
import type { Db } from "./query.ts";
import { lockSandbox } from "./sandbox-lock.ts";

/** `now` resolves when the transaction has begun and holds its access locks. */
export type BegunTransaction = { db: Db; now: Promise<Date> };

export type TenantAccess = {
  tenant: Tenant | TenantById;
  /** A function authenticates the actor in the round trip of the begin. What it throws rolls the transaction back. */
  actor: Actor | ((begun: BegunTransaction) => Promise<Actor>);
  from: Pick<Ctx, "log" | "origin">;
  locks?: readonly AccessLock[];
  /** Taken after the access locks. Without it the sandbox is not locked. */
  sandboxLock?: LockMode;
};

type TenantDeps = { pool: pg.Pool; clock: Clock; cursorKey: Buffer };

export const withTenant = <T>({ pool, clock, cursorKey }: TenantDeps, access: TenantAccess, work: (ctx: Ctx) => Promise<T>): Promise<T> =>
  transaction(
    pool,
    access.tenant.id,
    async ({ db, startedAt }) => {
      const begunAt = startedAt.then((moment) => clock.ofChange(moment));
      const known = "read" in access.tenant ? null : access.tenant;
      if (known && access.sandboxLock) lockSandbox(db, known, access.sandboxLock);
      const [tenant, actor, now] = await Promise.all([
        "read" in access.tenant ? access.tenant.read(db) : access.tenant,
        typeof access.actor === "function" ? access.actor({ db, now: begunAt }) : access.actor,
        begunAt,
      ]);
      if (!known && access.sandboxLock) lockSandbox(db, tenant, access.sandboxLock);
      return work({ tenant, actor, now, db, ...access.from, cursorKey });
    },
    access.locks,
  );
