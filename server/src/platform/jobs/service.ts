/** Background jobs. A job is written in the transaction of its change: one never exists without the other. */
import type { Db } from "#db/query.ts";
import type { Ctx, GlobalContext, LockMode } from "#lib/context.ts";
import { realMoment } from "#lib/venue-clock.ts";
import { advanceJobRows, BECAME_DUE, type DueJob, deleteJobs, insertJob, isInVenueTime, type JobOptions, lockDueJobs } from "./store.ts";

/** Ids only: job rows have no row level security, so a handler reads the rest as its tenant. */
export type JobData = {
  "release-held-tickets": { order_id: string };
  /**
   * `done_at` is the last bump, so that a job whose ticket was recalled and bumped again does nothing. `screen_id` is null when the last
   * open ticket was struck.
   */
  "finish-cooking": { order_id: string; done_at: string; screen_id: number | null };
  /** `until` is the end that was said, so that a job whose end was replaced does nothing. */
  "end-sold-out": { kind: "item" | "option"; id: number; until: string };
  /** All prices that begin at this moment. */
  "apply-scheduled-prices": { starts_at: string };
  /** `expires_on` is the last day that was said, so that a job whose day was replaced does nothing. */
  "expire-gift-card": { gift_card_id: number; expires_on: string };
  /** `hold_ends_at` is the end that was planned, so that a job whose hold was renewed does nothing. */
  "expire-ticket-hold": { booking_id: number; hold_ends_at: string };
  /** An ingredient of the venue has run out or come back. The handler finds which. */
  "follow-stock": Record<string, never>;
  "send-message": { message_id: number; attempt: number };
  "send-link": { link_id: number };
  /** Belongs to no venue. It checks whether the address has an account. */
  "prepare-link": { request_id: number };
  /** Belongs to no venue: it leads to a new one. */
  "send-sign-up": { sign_up_id: number };
  /** Belongs to no venue. */
  "send-alert": { alert_id: number; attempt: number };
  /** `due_at` is the planned night, so that a second run for the same night does nothing. */
  "reset-sandbox": { due_at: string };
  /** The clock of the sandbox was moved. The handler finds what has become due. */
  "catch-up-sandbox": Record<string, never>;
};

/** The restaurant of the job. Modules for people pass one in which the person works. Only a whole one has moments of its own clock. */
export type ForVenue = Pick<Ctx, "db"> & { tenant: Pick<Ctx["tenant"], "id"> & Partial<Pick<Ctx["tenant"], "clock_offset_ms">> };

export const enqueue = async <Q extends keyof JobData>(
  ctx: ForVenue,
  queue: Q,
  data: JobData[Q],
  options: JobOptions = {},
): Promise<void> => {
  const { id: restaurant_id, clock_offset_ms = 0 } = ctx.tenant;
  const { startAfter } = options;
  const start = startAfter && isInVenueTime(queue) ? { startAfter: realMoment(startAfter, { clock_offset_ms }) } : {};
  const id = await insertJob(ctx, queue, { restaurant_id, ...data }, { ...options, ...start });
  if (id === null) throw new Error(`The queue ${queue} took no job: is it there?`);
};

/** The clock of a sandbox was moved: its jobs are due as much earlier, and those that are due now are done at once. */
export const advanceJobs = async (ctx: Ctx, ms: number): Promise<void> => {
  advanceJobRows(ctx, ms);
  await enqueue(ctx, "catch-up-sandbox", {});
};

export { BECAME_DUE, type DueJob, deleteJobs, lockDueJobs };

/** No restaurant has this id. */
const NO_VENUE = 0;

/** These jobs belong to no venue; their handlers open transactions without a tenant. */
export const enqueueGlobal = <Q extends "prepare-link" | "send-sign-up" | "send-alert">(
  ctx: Pick<Ctx, "db">,
  queue: Q,
  data: JobData[Q],
  options: JobOptions = {},
): Promise<void> => enqueue({ db: ctx.db, tenant: { id: NO_VENUE } }, queue, data, options);

/** One transaction without a tenant. */
export type InGlobalTransaction = <T>(work: (ctx: GlobalContext) => Promise<T>) => Promise<T>;

/** One transaction for the job's restaurant. A job sends to other systems between two transactions, never inside one. */
export type InVenue = <T>(work: (ctx: Ctx) => Promise<T>, sandboxLock?: LockMode) => Promise<T>;

/** Work that is looked for again and again: one statement finds the venues in which something is due, whatever their number. */
export type VenueRound = {
  everyMs: number;
  /** Some of them: further ones are found by the next round. */
  findVenues(db: Db, now: Date): Promise<number[]>;
  run(inVenue: InVenue): Promise<unknown>;
  /** Its transactions hold the locks of the venue and of its sandbox, so that no write of either runs meanwhile. */
  isAlone?: true;
  /** What the log says of a venue in which it failed. It is tried again by the next round. */
  failure: string;
};

export type JobHandlers = { [Q in keyof JobData]: (inVenue: InVenue, data: JobData[Q]) => Promise<void> };
