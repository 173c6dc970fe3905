/**
 * Sends the changes of one screen, oldest first, from one tab of the browser at a time. Changes of different tickets are sent together,
 * those of one ticket one after the other. What cannot be sent waits and is tried again with the same key.
 */
import type { KitchenTicket } from "@comanda/contract/console/kitchen.ts";
import { createMoveList, type MoveStorage } from "#offline/move-list.ts";
import { isServerFault, pauseAfter, readFailure, sendTogether, takeBatch } from "#offline/queued-moves.ts";
import { createSendingLoop, type RoundEnd } from "#offline/sending-loop.ts";
import { changesToDrop, type QueuedChange } from "./ticket-changes.ts";

export type TicketQueueEvent =
  | { kind: "sent"; change: QueuedChange; ticket: KitchenTicket; mustReadWhole: boolean }
  | { kind: "refused"; change: QueuedChange; laterChanges: number; error: Error }
  | { kind: "expired"; count: number }
  | { kind: "signed_out" };

export type TicketQueueDeps = {
  storage: MoveStorage<QueuedChange>;
  send(change: QueuedChange): Promise<KitchenTicket>;
  withLock<T>(run: () => Promise<T>): Promise<T>;
  tell(event: TicketQueueEvent): void;
};

export type TicketQueue = ReturnType<typeof createTicketQueue>;

export const createTicketQueue = (screenId: number, deps: TicketQueueDeps) => {
  const list = createMoveList<QueuedChange>(screenId, deps.storage);
  const refresh = createRefresh(list, deps);
  const loop = createSendingLoop(deps, createQueueRound(list, deps, refresh));
  return {
    read: list.read,
    subscribe: list.subscribe,
    async add(change: QueuedChange): Promise<void> {
      await list.add(change);
      await loop.wake();
    },
    /** Shows what an earlier page stored, also without a connection. */
    async load(): Promise<void> {
      await refresh();
      list.markWaiting();
    },
    ...loop,
  };
};

type QueueList = ReturnType<typeof createMoveList<QueuedChange>>;

/** Takes over what is stored. What became too old is deleted, and the screen says so. */
const createRefresh = (list: QueueList, deps: TicketQueueDeps) => async (): Promise<void> => {
  const expired = await list.refresh(Date.now());
  if (expired.length > 0) deps.tell({ kind: "expired", count: expired.length });
};

/** What follows from an answer that is none, or a refusal. Null: the next changes can be sent. */
const createQueueFailures = (list: QueueList, deps: TicketQueueDeps) => {
  const faultsOf = new Map<string, number>();
  let inARow = 0;
  const refuse = async (change: QueuedChange, error: Error): Promise<null> => {
    const dropped = changesToDrop(list.read().moves, change);
    deps.tell({ kind: "refused", change, laterChanges: dropped.length - 1, error });
    for (const { key } of dropped) faultsOf.delete(key);
    await list.settle(dropped.map(({ key }) => key));
    return null;
  };
  return {
    async handle(change: QueuedChange, error: Error): Promise<RoundEnd | null> {
      const count = (faultsOf.get(change.key) ?? 0) + (isServerFault(error) ? 1 : 0);
      faultsOf.set(change.key, count);
      const failure = readFailure(error, count);
      if (failure === "refused") return refuse(change, error);
      list.markWaiting();
      inARow += 1;
      if (failure === "away") return { pauseMs: pauseAfter(inARow, error, Math.random()) };
      deps.tell({ kind: "signed_out" });
      return "held";
    },
    /** Whether something failed since the last answer. */
    end(keys: ReadonlySet<string>): boolean {
      const hasFailed = inARow > 0;
      inARow = 0;
      for (const key of keys) faultsOf.delete(key);
      return hasFailed;
    },
  };
};

type SentChange = { move: QueuedChange; answer: KitchenTicket };

/** Sends until nothing is left or something must be waited for. */
const createQueueRound = (list: QueueList, deps: TicketQueueDeps, refresh: () => Promise<void>) => {
  const failures = createQueueFailures(list, deps);
  // An earlier page may have tried the first ones.
  let hasRepeated = true;
  /** The answer to a repeated change may be an old one, so the last answer of those that waited says that the kitchen must be read whole. */
  const finish = async (sent: readonly SentChange[]): Promise<void> => {
    const keys = new Set(sent.map(({ move }) => move.key));
    const isRepeated = failures.end(keys) || hasRepeated;
    const isLast = list.read().moves.every(({ key }) => keys.has(key));
    hasRepeated = isRepeated && !isLast;
    for (const { move: change, answer: ticket } of sent)
      deps.tell({ kind: "sent", change, ticket, mustReadWhole: isRepeated && isLast && change === sent.at(-1)?.move });
    await list.settle([...keys]);
  };
  const sendBatch = async (batch: readonly QueuedChange[]): Promise<RoundEnd | null> => {
    const attempts = await sendTogether(batch, deps.send);
    const sent = attempts.filter((attempt) => "answer" in attempt);
    if (sent.length > 0) await finish(sent);
    for (const attempt of attempts) {
      const end = "error" in attempt ? await failures.handle(attempt.move, attempt.error) : null;
      // The others that failed are sent again with their keys.
      if (end) return end;
    }
    return null;
  };
  return async (isStopped: () => boolean): Promise<RoundEnd> => {
    await refresh();
    const takeNext = (isFirst: boolean) => takeBatch(list.read().moves, ({ ticketId }) => ticketId, isFirst);
    for (let batch = takeNext(true); batch.length > 0 && !isStopped(); batch = takeNext(false)) {
      const end = await sendBatch(batch);
      if (end) return end;
    }
    return "empty";
  };
};
