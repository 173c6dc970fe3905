/** Work for later: a job is a row of the change's own transaction, so there is no change without its job, and no job without its change. */
import type { Ctx, Entrance, HouseCtx } from "#lib/context.ts";
import { insertJob } from "./store.ts";

/** Ids only: what a job needs to know it reads when it runs, under its venue's own wall. */
export type JobData = {
  "release-held-tickets": { order_id: string };
  "push-order": { push_id: number; attempt: number };
  "send-message": { message_id: number; attempt: number };
  "send-link": { link_id: number };
  /** Of no venue: looks whether the address has an account. */
  "prepare-link": { request_id: number };
  /** Of no venue. */
  "send-alert": { alert_id: number; attempt: number };
  /** `due_at` is the night it was planned for, so that a second run of the same night finds nothing to do. */
  "reset-sandbox": { due_at: string };
};

export type JobOptions = {
  /** Not before this moment; at once without it. */
  startAfter?: Date;
  /** Jobs of one group share a few of the worker's hands, so that a slow receiver never takes them all. */
  groupId?: string;
};

/** The venue whose job it is; a service for people names one that the person works in. */
export type ForVenue = Pick<Ctx, "db"> & { tenant: Pick<Ctx["tenant"], "id"> };

export const enqueue = async <Q extends keyof JobData>(
  ctx: ForVenue,
  queue: Q,
  data: JobData[Q],
  options: JobOptions = {},
): Promise<void> => {
  const id = await insertJob(ctx, queue, { restaurant_id: ctx.tenant.id, ...data }, options);
  if (id === null) throw new Error(`The queue ${queue} took no job: is it there?`);
};

/** No venue has this id. */
const NO_VENUE = 0;

/** A job that belongs to no venue; its handler opens transactions of no venue. */
export const enqueueGlobal = <Q extends "prepare-link" | "send-alert">(
  ctx: Pick<Ctx, "db">,
  queue: Q,
  data: JobData[Q],
  options: JobOptions = {},
): Promise<void> => enqueue({ db: ctx.db, tenant: { id: NO_VENUE } }, queue, data, options);

/** One transaction that belongs to no venue. */
export type InHouse = <T>(work: (ctx: HouseCtx) => Promise<T>) => Promise<T>;

/** One transaction for the job's venue. A job that talks to the world outside does so between two of them, never inside. */
export type InVenue = <T>(work: (ctx: Ctx) => Promise<T>, entrance?: Entrance) => Promise<T>;

export type JobHandlers = { [Q in keyof JobData]: (inVenue: InVenue, data: JobData[Q]) => Promise<void> };
