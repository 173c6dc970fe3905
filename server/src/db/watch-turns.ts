/**
 * Reports to the account of the main thread which venue it works for: from a result of the database until the next one, or until nothing is
 * due.
 */
import type pg from "pg";
import { createMainThread, type MainThread, type ThreadTime } from "#lib/main-thread.ts";

type Socket = { prependListener(event: "data", listener: () => void): unknown };
type WorkOfVenue = { readonly venue: number | null };

export type TurnWatch = Pick<MainThread, "isResting"> & {
  /** What runs on the connection from now on. Reads that share it are answered in their order. */
  watch(client: pg.PoolClient, work: readonly WorkOfVenue[]): void;
  /** This work has its results. */
  note(ended: WorkOfVenue): void;
  /** Lets go of what ran: the connection may be idle for long. */
  unwatch(client: pg.PoolClient): void;
};

const MICROSECONDS = 1000;

const threadTime = (): ThreadTime => {
  const { user, system } = process.threadCpuUsage();
  return { nowMs: performance.now(), usedMs: (user + system) / MICROSECONDS };
};

/** A process has one main thread, whatever pools it has. */
const thread = createMainThread();

export const chargeSending = (venue: number, bytes: number): void => thread.chargeSending(venue, bytes, performance.now());

export const createTurnWatch = (): TurnWatch => {
  const running = new WeakMap<pg.PoolClient, readonly WorkOfVenue[]>();
  const over = new WeakSet<WorkOfVenue>();
  let isEndPlanned = false;
  const endTurn = (): void => {
    isEndPlanned = false;
    thread.end(threadTime());
  };
  const listen = (client: pg.PoolClient): void => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.prependListener("data", () => {
      thread.begin(running.get(client)?.find((work) => !over.has(work))?.venue ?? null, threadTime());
      if (!isEndPlanned) setImmediate(endTurn);
      isEndPlanned = true;
    });
  };
  return {
    isResting: thread.isResting,
    watch(client, work) {
      if (!running.has(client)) listen(client);
      running.set(client, work);
    },
    note: (ended) => void over.add(ended),
    unwatch: (client) => void running.set(client, []),
  };
};
