/**
 * Lends the pool's connections in the order of `lib/turn-queue.ts`. It never asks the pool for more than there are, so nobody waits in
 * the pool's own queue, which knows no venues.
 */
import type pg from "pg";
import { fail, type Refusal } from "#lib/errors.ts";
import { createTurnQueue, type Entry, type TurnQueue } from "#lib/turn-queue.ts";
import { type Asker, queueFor } from "./asker.ts";

/** After this time most clients have given up, so the work would be in vain. */
const WAIT_MS_MAX = 5000;
const SWEEP_EVERY_MS = 100;
const RETRY_SECONDS = "1";
/** Answers come in the order of the questions, so a slow one holds up at most as many others. */
const SHARERS_MAX = 8;

/** A statement or a transaction that waits for a connection, or has one. */
export type Turn = Entry & {
  readonly asker: Asker | null;
  /** Begins on a connection that is its own, or that it shares with the others. */
  begin(client: pg.PoolClient, turns: readonly Turn[]): void;
  reject(error: unknown): void;
};

export type Lender = {
  /** A connection of its own, for a transaction. `client.release` gives it back. */
  connect(tenantId: number | null): Promise<pg.PoolClient>;
  /** Begins when it is its turn. Reads of the same moment share a connection: whoever serves them says with `end` when each is done. */
  add(turn: Turn): void;
  end(turn: Turn): void;
  /** Somebody else's newest request leaves, if they have more of them waiting than this one has. */
  makeRoom(asker: Asker): boolean;
  waiting(): number;
};

/** Where a statement for this tenant waits, whoever asks just now. */
export const placeFor = (tenantId: number | null): Pick<Turn, "queue" | "venue" | "unit" | "asker" | "isRequest" | "isGone"> => {
  const { asker, queue, venue } = queueFor(tenantId);
  return { asker, queue, venue, unit: asker ?? {}, isRequest: asker !== null, isGone: () => asker?.isGone ?? false };
};

const crowdedOut = (): Refusal => fail("service_unavailable", {}, { "Retry-After": RETRY_SECONDS });

/** Waits no longer, and nothing else of the same request is begun. */
const turnAway = ({ asker, reject }: Turn): void => {
  if (asker) Object.assign(asker, { isGone: true, isCrowdedOut: true });
  reject(crowdedOut());
};

const lenders = new WeakMap<pg.Pool, Lender>();

export const lenderOf = (pool: pg.Pool): Lender => lenders.get(pool) ?? lendFrom(pool, pool.options.max);

/** The pool has one lender; another takes its place. */
export const lendFrom = (pool: pg.Pool, connections: number): Lender => {
  const lender = createLender(pool, connections);
  lenders.set(pool, lender);
  return lender;
};

const createLender = (pool: pg.Pool, connections: number): Lender => {
  const queue = createTurnQueue<Turn>({ connections, sharersMax: SHARERS_MAX, onGone: ({ reject }) => reject(crowdedOut()) });
  let isPlanned = false;
  /** What is asked in one turn of the event loop is looked at together. */
  const plan = (): void => {
    if (!isPlanned) process.nextTick(serve);
    isPlanned = true;
  };
  const endWaits = createSweeper(queue, plan);
  const giveBack = (turns: readonly Turn[]): void => {
    for (const turn of turns) queue.end(turn);
    queue.free();
    plan();
  };
  const serve = (): void => {
    isPlanned = false;
    const nowMs = performance.now();
    for (let turns = queue.take(nowMs); turns.length > 0; turns = queue.take(nowMs)) void begin({ pool, queue, giveBack }, turns);
    endWaits();
  };
  const add = (turn: Turn): void => {
    queue.add(turn, performance.now());
    plan();
  };
  return {
    connect: (tenantId) =>
      new Promise((resolve, reject) => {
        add({ ...placeFor(tenantId), isShared: false, begin: resolve, reject });
      }),
    add,
    end(turn) {
      queue.end(turn);
      plan();
    },
    makeRoom(asker) {
      const turns = queue.removeFromLongest(asker.venue === null ? asker.queue : `venue ${asker.venue}`);
      for (const turn of turns) turnAway(turn);
      return turns.length > 0;
    },
    waiting: () => queue.waiting(),
  };
};

type Lending = { pool: pg.Pool; queue: TurnQueue<Turn>; giveBack(turns: readonly Turn[]): void };

const begin = async ({ pool, queue, giveBack }: Lending, turns: Turn[]): Promise<void> => {
  const [first] = turns as [Turn, ...Turn[]];
  const client = await pool.connect().catch((error: unknown) => {
    giveBack(turns);
    for (const { reject } of turns) reject(error);
    // None is open and none can be opened: those who wait need not find that out one by one.
    if (queue.busy() === 0) for (const { reject } of queue.removeOlder(Number.POSITIVE_INFINITY)) reject(error);
  });
  if (!client) return;
  onRelease(client, giveBack, first.isShared ? [] : [first]);
  // While the connection was fetched, others may have come.
  if (first.isShared) turns.push(...queue.join(turns.length, performance.now()));
  first.begin(client, turns);
};

/**
 * A function of its own: the pool keeps `release`, and all that it refers to, until the connection is used again. With what eight reads had
 * found kept that long, collecting garbage took twice the time.
 */
const onRelease = (client: pg.PoolClient, giveBack: Lending["giveBack"], turns: readonly Turn[]): void => {
  const release = client.release.bind(client);
  client.release = (error) => {
    release(error);
    giveBack(turns);
  };
};

/** While somebody waits: ends what waits too long, and looks again who may begin, because shares grow while others are away. */
const createSweeper = (queue: TurnQueue<Turn>, plan: () => void): (() => void) => {
  let timer: NodeJS.Timeout | null = null;
  const sweep = (): void => {
    for (const turn of queue.removeOlder(performance.now() - WAIT_MS_MAX)) turnAway(turn);
    plan();
    if (queue.waiting() > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
  return () => {
    if (queue.waiting() > 0) timer ??= setInterval(sweep, SWEEP_EVERY_MS).unref();
  };
};
