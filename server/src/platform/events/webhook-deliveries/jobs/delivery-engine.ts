/**
 * The delivery engine: claims endpoints, one worker for each, and sends what is due to each with a small concurrency. A receiver that
 * is slow or down uses its own concurrency and no other endpoint's.
 *
 * A delivery:
 * - `waiting` for its due time; a claim makes it `ready`
 * - `ready`, and sent by the worker that has the endpoint: answered with 2xx it is `done`, refused it waits for its next attempt, and after
 *   the last attempt it has `failed`
 * - `held` while its endpoint is paused; a resumed endpoint makes it `ready`
 * - `done` or `failed`, until a replay begins a new cycle of attempts
 *
 * An endpoint in this process:
 * - free: no run. A claim takes one that has something due, and gives this worker a lease
 * - served: a run of one time slice. It has a slot for healthy or failing endpoints
 * - unresponsive: its healthy slot is free for another, and its run goes on
 * - released: by the last recording of its run, or by the end of the worker
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#db/query.ts";
import type { Clock } from "#lib/clock.ts";
import type { Ctx, Log } from "#lib/context.ts";
import type { EncryptionKey } from "#lib/encryption.ts";
import { deliver, type Sender } from "#platform/events/webhooks/service/messages.ts";
import { newSigningSecret } from "#platform/events/webhooks/service/secrets.ts";
import type { InVenue } from "#platform/jobs/service.ts";
import { type DeliveryBatch, readBatch, readSecrets, recordResults, type SendResult } from "../service/batches.ts";
import { type ClaimOptions, claimEndpoints, type DueDelivery, type EndpointLease } from "../store/queue.ts";

/** Endpoints served at the same time. Those that keep failing have slots of their own and never use these. */
export const HEALTHY_SLOTS = 24;
const FAILING_SLOTS = 12;
/** Endpoints of one venue get at most so many of the healthy slots, so that others always find a free one. */
const VENUE_SLOTS = 12;
/** The limit includes endpoints that lost their slot because they do not answer. */
const RUNS_MAX = 120;
/**
 * An endpoint that has not answered for so long gives up its healthy slot. When many endpoints begin to hang at once, the
 * others do not wait until each of them has failed.
 */
const UNRESPONSIVE_MS = 500;
/** Sends to one endpoint at the same time. */
export const CONCURRENCY = 4;
/**
 * The first message is sent alone. The other senders start when it is answered, or one after the other after this delay: an
 * endpoint that hangs does not get four connections at once, and many of them do not get all theirs in one moment.
 */
const STAGGER_MS = 100;
const BATCH_ROWS = 64;
/** After so long an endpoint makes room for the next one, even with deliveries left. */
const TIME_SLICE_MS = 2000;
/** Secrets older than this are read again before they sign, so that a new secret signs soon after its commit. */
const SECRETS_AGE_MS_MAX = 250;
/** Results are recorded this often while other messages to the same endpoint are still being sent. */
const RECORD_EVERY_MS = 200;
const POLL_MS = 250;
/** Between two claims, and at least as long as the last claim took, so that one claim fills all slots freed meanwhile. */
const CLAIM_DELAY_MS = 10;

export type DeliveryWorkerDeps = {
  db: Db;
  clock: Clock;
  log: Log;
  sender: Sender;
  encryptionKeys: readonly EncryptionKey[];
  inVenueOf: (restaurantId: number) => InVenue;
  /** The number under which other workers see this one as alive; null while they do not. */
  worker: () => number | null;
  onAttempt: (failure: string | null) => void;
};

export type DeliveryWorker = { stop(): Promise<void> };

type EndpointRun = {
  lease: EndpointLease;
  /** When the endpoint last answered, or when its batch started; null while nothing is being sent to it. */
  unansweredSince: number | null;
  ended: Promise<void>;
};

export const startDeliveries = (deps: DeliveryWorkerDeps): DeliveryWorker => {
  const runs = new Map<number, EndpointRun>();
  const stopping = new AbortController();
  /** Aborted when a slot becomes free, and at the end. */
  let idle = new AbortController();
  const start = (lease: EndpointLease, worker: number): void => {
    const run: EndpointRun = { lease, unansweredSince: null, ended: Promise.resolve() };
    runs.set(lease.endpoint_id, run);
    run.ended = serveEndpoint(deps, run, worker, stopping.signal)
      .catch((error: unknown) =>
        deps.log.warn({ err: error, endpoint: lease.endpoint_id }, "an endpoint could not be served; it will be retried"),
      )
      .finally(() => {
        runs.delete(lease.endpoint_id);
        idle.abort();
      });
  };
  const claim = async (): Promise<number> => {
    const worker = deps.worker();
    const slots = freeSlots([...runs.values()]);
    if (worker === null || slots.healthyMax + slots.failingMax === 0) return 0;
    const leases = await claimEndpoints(deps.db, { worker, busy: [...runs.keys()], ...slots, now: deps.clock.ofDatabase() });
    for (const lease of leases) start(lease, worker);
    return leases.length;
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      idle = new AbortController();
      const startedAt = performance.now();
      const count = await claim().catch((error: unknown) => {
        deps.log.warn({ err: error }, "endpoints could not be claimed; it will be retried");
        return 0;
      });
      await pause(Math.max(CLAIM_DELAY_MS, performance.now() - startedAt), stopping.signal);
      if (count === 0) await pause(POLL_MS, idle.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      idle.abort();
      await loop;
      await Promise.all([...runs.values()].map(({ ended }) => ended));
    },
  };
};

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);

const freeSlots = (runs: EndpointRun[]): Pick<ClaimOptions, "holders" | "healthyMax" | "failingMax" | "venueMax"> => {
  const failing = runs.filter(({ lease }) => lease.is_failing).length;
  const isUnresponsive = ({ unansweredSince }: EndpointRun): boolean =>
    unansweredSince !== null && performance.now() - unansweredSince > UNRESPONSIVE_MS;
  const healthy = runs.filter((run) => !run.lease.is_failing && !isUnresponsive(run));
  return {
    holders: healthy.map(({ lease }) => lease.restaurant_id),
    healthyMax: Math.max(0, Math.min(HEALTHY_SLOTS - healthy.length, RUNS_MAX - runs.length)),
    failingMax: FAILING_SLOTS - failing,
    venueMax: VENUE_SLOTS,
  };
};

/**
 * One time slice of an endpoint: reads due deliveries, sends them, records the results, releases the endpoint. Recording one
 * batch and reading the next share a transaction. A failing endpoint first gets one message for each sender.
 */
const serveEndpoint = async (deps: DeliveryWorkerDeps, run: EndpointRun, worker: number, signal: AbortSignal): Promise<void> => {
  const { restaurant_id, endpoint_id, is_failing } = run.lease;
  const inVenue = deps.inVenueOf(restaurant_id);
  const read = (ctx: Ctx, rowCount: number): Promise<DeliveryBatch> => readBatch(ctx, endpoint_id, rowCount, deps.encryptionKeys);
  const readSecretsAgain = (): Promise<string[] | null> => inVenue((ctx) => readSecrets(ctx, endpoint_id, deps.encryptionKeys));
  let rowCount = is_failing ? CONCURRENCY : BATCH_ROWS;
  let isFirst = true;
  let batch: DeliveryBatch | null = await inVenue((ctx) => read(ctx, rowCount));
  const deadline = performance.now() + TIME_SLICE_MS;
  const isOver = (): boolean => signal.aborted || performance.now() > deadline;
  while (batch !== null) {
    const { url, kind, deliveries, secrets }: DeliveryBatch = batch;
    const served = { endpointId: endpoint_id, worker, url, kind };
    const count = ({ outcome }: SendResult): void => deps.onAttempt(outcome.failure);
    const sending = { ...batch, isFirst, isOver, currentSecrets: refreshedSecrets(secrets, readSecretsAgain) };
    const unrecorded = await sendBatch(deps, run, sending, async (results) => {
      results.forEach(count);
      await inVenue((ctx) => recordResults(ctx, { ...served, isReleased: false }, results));
    });
    unrecorded.forEach(count);
    const isLast = isOver() || deliveries.length < rowCount;
    [rowCount, isFirst] = [BATCH_ROWS, false];
    batch = await inVenue(async (ctx): Promise<DeliveryBatch | null> => {
      const [isOurs, next] = await Promise.all([
        recordResults(ctx, { ...served, isReleased: isLast }, unrecorded),
        isLast ? null : read(ctx, rowCount),
      ]);
      return isOurs ? next : null;
    });
  }
};

/** Reads the secrets again when they are too old; uses the previous ones when that fails. */
const refreshedSecrets = (first: string[], readAgain: () => Promise<string[] | null>): (() => Promise<string[]>) => {
  let readAt = performance.now();
  let current = Promise.resolve(first);
  return () => {
    if (performance.now() - readAt > SECRETS_AGE_MS_MAX) {
      readAt = performance.now();
      const previous = current;
      current = readAgain().then(
        (secrets) => secrets ?? [],
        () => previous,
      );
    }
    return current;
  };
};

type BatchSending = DeliveryBatch & { isFirst: boolean; isOver: () => boolean; currentSecrets: () => Promise<string[]> };

/** Records results while others are still being sent, and returns those that are not recorded yet. */
const sendBatch = async (
  deps: DeliveryWorkerDeps,
  run: EndpointRun,
  batch: BatchSending,
  record: (results: SendResult[]) => Promise<void>,
): Promise<SendResult[]> => {
  const queue = batch.deliveries[Symbol.iterator]();
  const results: SendResult[] = [];
  const answered = new AbortController();
  let isEnding = false;
  const sendInOrder = async (_: unknown, index: number): Promise<void> => {
    if (batch.isFirst && index > 0) await pause(index * STAGGER_MS, answered.signal);
    for (const delivery of queue) {
      const secrets = await batch.currentSecrets();
      // No secret is left: the endpoint was removed, which the next run records.
      if (isEnding || batch.isOver() || (batch.failure === null && secrets.length === 0)) return;
      results.push(await sendOne(deps, { ...batch, secrets }, delivery));
      run.unansweredSince = performance.now();
      if (!answered.signal.aborted) answered.abort();
    }
  };
  run.unansweredSince = performance.now();
  const sending = Promise.all(Array.from({ length: Math.min(CONCURRENCY, batch.deliveries.length) }, sendInOrder));
  try {
    while (!(await isSettled(sending, RECORD_EVERY_MS))) if (results.length > 0) await record(results.splice(0));
  } finally {
    // An error also ends here: the endpoint is not released while a message is being sent to it, and no other is started.
    isEnding = true;
    await sending;
    run.unansweredSince = null;
  }
  return results;
};

const isSettled = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const timeout = new AbortController();
  const isDone = await Promise.race([work.then(() => true), sleep(ms, false, { signal: timeout.signal })]);
  timeout.abort();
  return isDone;
};

const sendOne = async (
  { clock, sender }: DeliveryWorkerDeps,
  { url, secrets, failure, faults }: DeliveryBatch,
  delivery: DueDelivery,
): Promise<SendResult> => {
  const at = clock.now();
  if (failure !== null) return { delivery, at, outcome: { status: null, durationMs: 0, failure, excerpt: "" } };
  const event = { id: delivery.event_id, type: delivery.event_type };
  const fault = faults.get(delivery.id)?.fault;
  const message = { url, secrets: fault === "bad_signature" ? [newSigningSecret()] : secrets, event, body: delivery.body, at };
  const marked = fault === undefined ? message : { ...message, fault };
  if (fault === "twice") await deliver(sender, marked);
  return { delivery, at, outcome: await deliver(sender, marked) };
};
