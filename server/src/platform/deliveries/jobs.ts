/**
 * Serves what is due: claims endpoints, one worker each, and sends to each with a few hands. A receiver that is slow or
 * down keeps its own hands waiting and nobody else's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#db/query.ts";
import type { Clock } from "#lib/clock.ts";
import type { Ctx, Log } from "#lib/context.ts";
import type { SecretKey } from "#lib/sealed.ts";
import type { InVenue } from "#platform/jobs/service.ts";
import { deliver, type Sender } from "#platform/webhooks/service.ts";
import { type Batch, type Result, readBatch, readSecrets, recordResults } from "./service.ts";
import { type Claim, claimLanes, type DueDelivery, type Lane } from "./store.ts";

/** Endpoints served at the same time. Those that keep failing have places of their own and can never take all. */
export const HEALTHY_LANES = 24;
const FAILING_LANES = 12;
/** Of the healthy places, for endpoints of one venue: there is always room for the others. */
const VENUE_LANES = 12;
/** With those that have lost their place because they do not answer. */
const LANES_MAX = 120;
/**
 * So long without any answer, and an endpoint no longer has a place among the healthy ones: when many begin to hang at
 * once, the others do not wait until each of them has been found out.
 */
const SILENT_MS = 500;
/** Sends to one endpoint at the same time. */
export const HANDS_PER_LANE = 4;
/**
 * The first message goes alone. Its answer, or so much time for each of the other hands, lets them begin: an endpoint that
 * hangs is not dialled four times at once, and many that do are not all dialled in the same moment.
 */
const STAGGER_MS = 100;
const BATCH_ROWS = 64;
/** After so long an endpoint makes room for the next, whatever it still has. */
const SLICE_MS = 2000;
/** Secrets that were read so long ago are read again before they sign: a new one signs from its first moments on. */
const SECRETS_MS_MAX = 250;
/** Results are written this often while others of the same endpoint are still on their way. */
const RECORD_EVERY_MS = 200;
const POLL_MS = 250;
/** Between two claims, and at least as long as the last one took: places that become free meanwhile are filled together. */
const BREATH_MS = 10;

export type Given = {
  db: Db;
  clock: Clock;
  log: Log;
  sender: Sender;
  secretKeys: readonly SecretKey[];
  inVenueOf: (restaurantId: number) => InVenue;
  /** This worker as others see it; null while they cannot. */
  worker: () => number | null;
  onAttempt: (failure: string | null) => void;
};

export type Deliveries = { stop(): Promise<void> };

type Visit = {
  lane: Lane;
  /** When the endpoint last answered, or was first asked; null while nothing is on its way to it. */
  askedAt: number | null;
  ended: Promise<void>;
};

export const startDeliveries = (given: Given): Deliveries => {
  const visits = new Map<number, Visit>();
  const stopping = new AbortController();
  /** Cut short when a place becomes free, and at the end. */
  let rest = new AbortController();
  const begin = (lane: Lane, me: number): void => {
    const visit: Visit = { lane, askedAt: null, ended: Promise.resolve() };
    visits.set(lane.endpoint_id, visit);
    visit.ended = serve(given, visit, me, stopping.signal)
      .catch((error: unknown) =>
        given.log.warn({ err: error, endpoint: lane.endpoint_id }, "an endpoint could not be served; it is tried again"),
      )
      .finally(() => {
        visits.delete(lane.endpoint_id);
        rest.abort();
      });
  };
  const claim = async (): Promise<number> => {
    const me = given.worker();
    const places = placesFor([...visits.values()]);
    if (me === null || places.healthyMax + places.failingMax === 0) return 0;
    const lanes = await claimLanes(given.db, { me, busy: [...visits.keys()], ...places, now: given.clock.ofDatabase() });
    for (const lane of lanes) begin(lane, me);
    return lanes.length;
  };
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      rest = new AbortController();
      const startedAt = performance.now();
      const count = await claim().catch((error: unknown) => {
        given.log.warn({ err: error }, "nothing could be claimed; it is tried again");
        return 0;
      });
      await pause(Math.max(BREATH_MS, performance.now() - startedAt), stopping.signal);
      if (count === 0) await pause(POLL_MS, rest.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      rest.abort();
      await loop;
      await Promise.all([...visits.values()].map(({ ended }) => ended));
    },
  };
};

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => undefined);

const placesFor = (visits: Visit[]): Pick<Claim, "holders" | "healthyMax" | "failingMax" | "venueMax"> => {
  const failing = visits.filter(({ lane }) => lane.is_failing).length;
  const isSilent = ({ askedAt }: Visit): boolean => askedAt !== null && performance.now() - askedAt > SILENT_MS;
  const healthy = visits.filter((visit) => !visit.lane.is_failing && !isSilent(visit));
  return {
    holders: healthy.map(({ lane }) => lane.restaurant_id),
    healthyMax: Math.max(0, Math.min(HEALTHY_LANES - healthy.length, LANES_MAX - visits.length)),
    failingMax: FAILING_LANES - failing,
    venueMax: VENUE_LANES,
  };
};

/**
 * One endpoint's turn: read what is due, send it, write down what came of it, give the endpoint back. What came of one
 * batch and what is in the next travel together. One that has been failing is first tried with each hand once.
 */
const serve = async (given: Given, visit: Visit, me: number, signal: AbortSignal): Promise<void> => {
  const { restaurant_id, endpoint_id, is_failing } = visit.lane;
  const inVenue = given.inVenueOf(restaurant_id);
  const read = (ctx: Ctx, rowCount: number): Promise<Batch> => readBatch(ctx, endpoint_id, rowCount, given.secretKeys);
  const readAgain = (): Promise<string[] | null> => inVenue((ctx) => readSecrets(ctx, endpoint_id, given.secretKeys));
  let rowCount = is_failing ? HANDS_PER_LANE : BATCH_ROWS;
  let isFirst = true;
  let batch: Batch | null = await inVenue((ctx) => read(ctx, rowCount));
  const deadline = performance.now() + SLICE_MS;
  const isOver = (): boolean => signal.aborted || performance.now() > deadline;
  while (batch !== null) {
    const { url, deliveries, secrets }: Batch = batch;
    const service = { endpointId: endpoint_id, worker: me, url };
    const count = ({ outcome }: Result): void => given.onAttempt(outcome.failure);
    const sending = { ...batch, isFirst, isOver, secretsNow: keptFresh(secrets, readAgain) };
    const rest = await sendBatch(given, visit, sending, async (made) => {
      made.forEach(count);
      await inVenue((ctx) => recordResults(ctx, { ...service, isOver: false }, made));
    });
    rest.forEach(count);
    const isLast = isOver() || deliveries.length < rowCount;
    [rowCount, isFirst] = [BATCH_ROWS, false];
    batch = await inVenue(async (ctx): Promise<Batch | null> => {
      const [isOurs, next] = await Promise.all([
        recordResults(ctx, { ...service, isOver: isLast }, rest),
        isLast ? null : read(ctx, rowCount),
      ]);
      return isOurs ? next : null;
    });
  }
};

/** What was just read, and later what is read then; what was known before when nothing can be read. */
const keptFresh = (first: string[], readAgain: () => Promise<string[] | null>): (() => Promise<string[]>) => {
  let readAt = performance.now();
  let current = Promise.resolve(first);
  return () => {
    if (performance.now() - readAt > SECRETS_MS_MAX) {
      readAt = performance.now();
      const known = current;
      current = readAgain().then(
        (secrets) => secrets ?? [],
        () => known,
      );
    }
    return current;
  };
};

type Sending = Batch & { isFirst: boolean; isOver: () => boolean; secretsNow: () => Promise<string[]> };

/** Hands over what has come of it now and then, while the rest is still on its way; gives back what is left. */
const sendBatch = async (given: Given, visit: Visit, batch: Sending, record: (made: Result[]) => Promise<void>): Promise<Result[]> => {
  const queue = batch.deliveries[Symbol.iterator]();
  const results: Result[] = [];
  const answered = new AbortController();
  let isEnding = false;
  const hand = async (_: unknown, index: number): Promise<void> => {
    if (batch.isFirst && index > 0) await pause(index * STAGGER_MS, answered.signal);
    for (const delivery of queue) {
      const secrets = await batch.secretsNow();
      // Without a secret to sign with, the endpoint was removed meanwhile; the next visit finds out.
      if (isEnding || batch.isOver() || (batch.failure === null && secrets.length === 0)) return;
      results.push(await sendOne(given, { ...batch, secrets }, delivery));
      visit.askedAt = performance.now();
      if (!answered.signal.aborted) answered.abort();
    }
  };
  visit.askedAt = performance.now();
  const sending = Promise.all(Array.from({ length: Math.min(HANDS_PER_LANE, batch.deliveries.length) }, hand));
  try {
    while (!(await isSettled(sending, RECORD_EVERY_MS))) if (results.length > 0) await record(results.splice(0));
  } finally {
    // Whatever happens, the endpoint is not given back while something is on its way to it, and nothing more is begun.
    isEnding = true;
    await sending;
    visit.askedAt = null;
  }
  return results;
};

const isSettled = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  const patience = new AbortController();
  const isDone = await Promise.race([work.then(() => true), sleep(ms, false, { signal: patience.signal })]);
  patience.abort();
  return isDone;
};

const sendOne = async ({ clock, sender }: Given, { url, secrets, failure }: Batch, delivery: DueDelivery): Promise<Result> => {
  const at = clock.now();
  if (failure !== null) return { delivery, at, outcome: { status: null, durationMs: 0, failure, excerpt: "" } };
  const event = { id: delivery.event_id, type: delivery.event_type };
  return { delivery, at, outcome: await deliver(sender, { url, secrets, event, body: delivery.body, at }) };
};
