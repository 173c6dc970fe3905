/** Opens a tenant's transaction and its context. `global-transaction.ts` does the same for work without a tenant. */
import { sql } from "kysely";
import type pg from "pg";
import type { Clock } from "#lib/clock.ts";
import type { Actor, Ctx, LockMode, Tenant, TenantById } from "#lib/context.ts";
import { venueNow } from "#lib/venue-clock.ts";
import type { AccessLock } from "./access-locks.ts";
import { transaction } from "./pool.ts";
import type { Db } from "./query.ts";
import { lockSandbox, readClockOffset } from "./sandbox-lock.ts";

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
      const [found, actor, now] = await Promise.all([
        "read" in access.tenant ? access.tenant.read(db) : lockKnown(db, access.tenant, access.sandboxLock),
        typeof access.actor === "function" ? access.actor({ db, now: begunAt }) : access.actor,
        begunAt,
      ]);
      const mustLock = "read" in access.tenant && access.sandboxLock;
      const tenant = mustLock ? await lockAndReadAgain(db, { found, access, mode: mustLock }) : found;
      moveBegin(db, tenant);
      return work({ tenant, actor, now: venueNow(now, tenant), db, ...access.from, cursorKey });
    },
    access.locks,
  );

/** Reads the clock in the round trip of the begin. The clock of a sandbox may have moved since the tenant was read. */
const lockKnown = async (db: Db, tenant: Tenant, mode: LockMode | undefined): Promise<Tenant> => {
  if (tenant.kind !== "sandbox" || !mode) return tenant;
  lockSandbox(db, tenant, mode);
  return { ...tenant, clock_offset_ms: await readClockOffset(db, tenant) };
};

type Unlocked = { found: Tenant; access: TenantAccess; mode: LockMode };

/** The clock of a sandbox may have moved while this transaction waited for its lock. */
const lockAndReadAgain = async (db: Db, { found, access, mode }: Unlocked): Promise<Tenant> => {
  if (found.kind !== "sandbox") return found;
  lockSandbox(db, found, mode);
  return "read" in access.tenant ? access.tenant.read(db) : found;
};

/** `changed_at` and `updated_at` are the same moment (begun-at.ts), so both are of the venue's clock. */
const moveBegin = (db: Db, { clock_offset_ms }: Tenant): void => {
  if (clock_offset_ms === 0) return;
  db.defer(sql`select set_config('app.begun_at',
    (current_setting('app.begun_at')::timestamptz + ${clock_offset_ms}::bigint * interval '1 millisecond')::text, true)`);
};
