/**
 * Assigns the pool's connections in the order of `lib/fair-scheduler.ts`. It never asks the pool for more connections than it has: the
 * pool's own queue does not know venues.
 */
import type pg from "pg";
import { type ApiError, apiError } from "#lib/errors.ts";
import { createFairScheduler, type FairScheduler, type ScheduledEntry } from "#lib/fair-scheduler.ts";
import { type QueueScope, queueFor } from "./queue-scope.ts";
import { createTurnWatch, type TurnWatch } from "./watch-turns.ts";

/** Most clients give up after this time. */
const WAIT_MS_MAX = 5000;
const SWEEP_EVERY_MS = 100;
const RETRY_SECONDS = "1";
/** Results arrive in the order of the queries, so a slow read delays at most this many others. */
const SHARERS_MAX = 8;

/** A statement or transaction that waits for a connection or uses one. */
export type ScheduledWork = ScheduledEntry & {
  readonly queueScope: QueueScope | null;
  /** Starts on a connection of its own, or on one shared with the other `turns`. */
  begin(client: pg.PoolClient, turns: readonly ScheduledWork[]): void;
  reject(error: unknown): void;
};

export type ConnectionScheduler = {
  /** A connection for one transaction. `client.release` returns it. */
  connect(tenantId: number | null): Promise<pg.PoolClient>;
  /** Starts when a connection is assigned. Reads of one tick share a connection; the code that runs them calls `end` for each. */
  add(turn: ScheduledWork): void;
  end(turn: ScheduledWork): void;
  /** Rejects the newest request of the queue with the most waiting requests, if that queue is longer than this one's. */
  makeRoom(queueScope: QueueScope): boolean;
  waiting(): number;
};

/** The queue in which a statement for this tenant waits: the current request's, or the tenant's background queue. */
export const queueEntryFor = (
  tenantId: number | null,
): Pick<ScheduledWork, "queue" | "venue" | "unit" | "queueScope" | "isRequest" | "isGone"> => {
  const { queueScope, queue, venue } = queueFor(tenantId);
  return {
    queueScope,
    queue,
    venue,
    unit: queueScope ?? {},
    isRequest: queueScope !== null,
    isGone: () => queueScope?.isCancelled ?? false,
  };
};

const overloadError = (): ApiError => apiError("service_unavailable", {}, { "Retry-After": RETRY_SECONDS });

/** Rejects the work and cancels the rest of its request. */
const rejectAsOverloaded = ({ queueScope, reject }: ScheduledWork): void => {
  if (queueScope) Object.assign(queueScope, { isCancelled: true, isShed: true } satisfies Partial<QueueScope>);
  reject(overloadError());
};

const schedulers = new WeakMap<pg.Pool, ConnectionScheduler>();

export const schedulerOf = (pool: pg.Pool): ConnectionScheduler => schedulers.get(pool) ?? replaceScheduler(pool, pool.options.max);

/** Replaces the scheduler of the pool. */
export const replaceScheduler = (pool: pg.Pool, connections: number): ConnectionScheduler => {
  const lender = createScheduler(pool, connections);
  schedulers.set(pool, lender);
  return lender;
};

const createScheduler = (pool: pg.Pool, connections: number): ConnectionScheduler => {
  const turnWatch = createTurnWatch();
  const queue = createFairScheduler<ScheduledWork>({
    connections,
    sharersMax: SHARERS_MAX,
    isResting: turnWatch.isResting,
    onGone: ({ reject }) => reject(overloadError()),
  });
  let isPlanned = false;
  /** Work that was added in one tick is scheduled together. */
  const plan = (): void => {
    if (!isPlanned) process.nextTick(serve);
    isPlanned = true;
  };
  const endWaits = createSweeper(queue, plan);
  const giveBack = (client: pg.PoolClient | null, turns: readonly ScheduledWork[]): void => {
    if (client) turnWatch.unwatch(client);
    for (const turn of turns) queue.end(turn);
    queue.free();
    plan();
  };
  const serve = (): void => {
    isPlanned = false;
    const nowMs = performance.now();
    for (let turns = queue.take(nowMs); turns.length > 0; turns = queue.take(nowMs))
      void begin({ pool, queue, turnWatch, giveBack }, turns);
    endWaits();
  };
  const add = (turn: ScheduledWork): void => {
    queue.add(turn, performance.now());
    plan();
  };
  return {
    connect: (tenantId) => new Promise((resolve, reject) => add({ ...queueEntryFor(tenantId), isShared: false, begin: resolve, reject })),
    add,
    end(turn) {
      turnWatch.note(turn);
      queue.end(turn);
      plan();
    },
    makeRoom(queueScope) {
      const turns = queue.removeFromLongest(queueScope.venue === null ? queueScope.queue : `venue ${queueScope.venue}`);
      for (const turn of turns) rejectAsOverloaded(turn);
      return turns.length > 0;
    },
    waiting: () => queue.waiting(),
  };
};

type SchedulerParts = {
  pool: pg.Pool;
  queue: FairScheduler<ScheduledWork>;
  turnWatch: TurnWatch;
  giveBack(client: pg.PoolClient | null, turns: readonly ScheduledWork[]): void;
};

const begin = async ({ pool, queue, turnWatch, giveBack }: SchedulerParts, turns: ScheduledWork[]): Promise<void> => {
  const [first] = turns as [ScheduledWork, ...ScheduledWork[]];
  const client = await pool.connect().catch((error: unknown) => {
    giveBack(null, turns);
    for (const { reject } of turns) reject(error);
    // No connection is open and none can be opened: reject all waiting work at once.
    if (queue.busy() === 0) for (const { reject } of queue.removeOlder(Number.POSITIVE_INFINITY)) reject(error);
  });
  if (!client) return;
  onRelease(client, giveBack, first.isShared ? [] : [first]);
  // More reads may have been added while the connection was opened.
  if (first.isShared) turns.push(...queue.join(turns.length, performance.now()));
  turnWatch.watch(client, turns);
  first.begin(client, turns);
};

/**
 * Kept outside of `begin`: the pool holds `release`, and all that its closure refers to, until the connection is used again. When the
 * closure held the rows of eight reads, garbage collection took twice the time.
 */
const onRelease = (client: pg.PoolClient, giveBack: SchedulerParts["giveBack"], turns: readonly ScheduledWork[]): void => {
  const release = client.release.bind(client);
  client.release = (error) => {
    release(error);
    giveBack(client, turns);
  };
};

/** While work waits: rejects what has waited too long, and schedules again, because a venue's share grows when others become idle. */
const createSweeper = (queue: FairScheduler<ScheduledWork>, plan: () => void): (() => void) => {
  let timer: NodeJS.Timeout | null = null;
  const sweep = (): void => {
    for (const turn of queue.removeOlder(performance.now() - WAIT_MS_MAX)) rejectAsOverloaded(turn);
    plan();
    if (queue.waiting() > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return () => {
    if (queue.waiting() > 0) timer ??= setInterval(sweep, SWEEP_EVERY_MS).unref();
  };
};
