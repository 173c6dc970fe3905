/**
 * Sends the moves of one person, oldest first, from one tab of the browser at a time. Moves of different orders are sent together, those of
 * one order one after the other. What cannot be sent waits and is tried again with the same key. Only the person who made a move sends it.
 */
import type { BoardOrder } from "@comanda/contract/console/orders.ts";
import { CallError } from "#kit/api.ts";
import { createMoveList, type HeldStorage } from "./move-list.ts";
import {
  canBeTakenBack,
  isHeldBack,
  isServerFault,
  movesToDrop,
  pauseAfter,
  type QueuedMove,
  readFailure,
  sendTogether,
  takeBatch,
} from "./queued-moves.ts";
import { createSendingLoop, type RoundEnd } from "./sending-loop.ts";

export type OutboxEvent =
  | { kind: "sent"; move: QueuedMove; order: BoardOrder }
  | { kind: "refused"; move: QueuedMove; laterMoves: number; error: Error }
  | { kind: "expired"; count: number }
  | { kind: "signed_out" }
  | { kind: "other_person" };

export type OutboxDeps = {
  storage: HeldStorage;
  send(move: QueuedMove): Promise<BoardOrder>;
  /** The person whose session the server sees now. */
  readUserId(): Promise<number>;
  withLock<T>(run: () => Promise<T>): Promise<T>;
  tell(event: OutboxEvent): void;
  /** Tells the other tabs that the stored moves have changed. */
  announce(): void;
};

export type Outbox = ReturnType<typeof createOutbox>;

export const createOutbox = (person: number, deps: OutboxDeps) => {
  const list = createMoveList(person, deps.storage);
  const holding = createHolding(list, deps);
  const sendAll = createRound(person, { list, deps, holding });
  const tellExpired = createTellExpired({ list, deps });
  const loop = createSendingLoop(deps, sendAll);
  const readSteps = (orderId: string): QueuedMove[] => list.read().moves.filter((move) => move.orderId === orderId);
  return {
    read: list.read,
    subscribe: list.subscribe,
    async add(move: QueuedMove): Promise<void> {
      await list.add(move);
      deps.announce();
      await loop.wake();
    },
    /** What is released stays. */
    takeBack: async (key: string): Promise<void> => holding.takeBack(holding.readHeld().filter((move) => move.key === key)),
    readSteps,
    /** Takes back held moves only. The others are being sent, or wait for the connection. */
    takeBackOrder: async (orderId: string): Promise<void> =>
      holding.takeBack(readSteps(orderId).filter((move) => canBeTakenBack(move, Date.now()))),
    whenAnswered: (keys: readonly string[]): Promise<void> => whenAnswered(list, keys),
    /** The page may stop to run: a device that is locked runs no timer. */
    async hurry(): Promise<void> {
      await holding.release(holding.readHeld());
      await loop.wake();
    },
    /** Another tab changed what is stored. */
    refresh: async (): Promise<void> => void (await tellExpired()),
    ...loop,
  };
};

type MoveList = ReturnType<typeof createMoveList<QueuedMove>>;
type OutboxParts = { list: MoveList; deps: OutboxDeps; holding: ReturnType<typeof createHolding> };

/** Resolves when these moves are answered; fails when one of them waits for the connection. */
const whenAnswered = (list: MoveList, keys: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const look = (): void => {
      const { moves, waitingKeys } = list.read();
      const left = moves.filter(({ key }) => keys.includes(key));
      const isWaiting = left.some(({ key }) => waitingKeys.has(key));
      if (left.length > 0 && !isWaiting) return;
      stop();
      if (isWaiting) reject(new CallError("offline", "An earlier step of the order waits for the connection."));
      else resolve();
    };
    const stop = list.subscribe(look);
    look();
  });

/** Which moves can still be taken back, and are not sent before. What is released is stored so, because every tab shows it. */
const createHolding = (list: MoveList, { storage, announce }: OutboxDeps) => {
  const readHeld = (): QueuedMove[] => {
    const { moves } = list.read();
    return moves.filter((move) => isHeldBack(move, moves, Date.now()));
  };
  return {
    readHeld,
    async takeBack(moves: readonly QueuedMove[]): Promise<void> {
      const keys = moves.map(({ key }) => key);
      if (keys.length === 0) return;
      await list.alter(
        keys,
        () => null,
        () => storage.takeBack(keys),
      );
      announce();
    },
    async release(moves: readonly QueuedMove[]): Promise<void> {
      const keys = moves.filter(({ dueAt, releasedAt }) => dueAt !== undefined && releasedAt === undefined).map(({ key }) => key);
      const releasedAt = Date.now();
      if (keys.length === 0) return;
      await list.alter(
        keys,
        (move) => ({ ...move, releasedAt }),
        () => storage.release(keys, releasedAt),
      );
      announce();
    },
    markWaiting(): void {
      const held = readHeld();
      list.markWaiting(list.read().moves.flatMap((move) => (held.includes(move) ? [] : [move.key])));
    },
  };
};

/** Takes over what is stored. What became too old is deleted, and the page says so. */
const createTellExpired =
  ({ list, deps }: Omit<OutboxParts, "holding">) =>
  async (): Promise<QueuedMove[]> => {
    const expired = await list.refresh(Date.now());
    if (expired.length > 0) deps.tell({ kind: "expired", count: expired.length });
    return expired;
  };

/** What follows from an answer that is none, or a refusal. Null: the next move can be sent. */
const createFailures = ({ list, deps, holding }: OutboxParts) => {
  const faultsOf = new Map<string, number>();
  let inARow = 0;
  const countFaults = (error: Error, move: QueuedMove | null): number => {
    const count = (faultsOf.get(move?.key ?? "") ?? 0) + (isServerFault(error) ? 1 : 0);
    if (move && count > 0) faultsOf.set(move.key, count);
    return count;
  };
  const dropCounts = (moves: readonly QueuedMove[]): void => {
    for (const { key } of moves) faultsOf.delete(key);
  };
  const refuse = async (move: QueuedMove, error: Error): Promise<null> => {
    const dropped = movesToDrop(list.read().moves, move);
    deps.tell({ kind: "refused", move, laterMoves: dropped.length - 1, error });
    dropCounts(dropped);
    await list.settle(dropped.map(({ key }) => key));
    deps.announce();
    return null;
  };
  return {
    dropCounts,
    end(sent: QueuedMove): void {
      inARow = 0;
      dropCounts([sent]);
    },
    async handle(error: Error, move: QueuedMove | null): Promise<RoundEnd | null> {
      const failure = readFailure(error, countFaults(error, move));
      if (failure === "refused" && move) return refuse(move, error);
      holding.markWaiting();
      inARow += 1;
      if (failure !== "signed_out") return { pauseMs: pauseAfter(inARow, error, Math.random()) };
      deps.tell({ kind: "signed_out" });
      return "held";
    },
  };
};

/** Rendering a full board after every answer would take longer than the answers. */
const SHOW_EVERY_MS = 250;

/** Answers that the page does not have yet. Until then their moves stay stored: sent again, they still have one effect. */
const createAnswered = ({ list, deps, holding }: OutboxParts) => {
  let answered: { move: QueuedMove; order: BoardOrder }[] = [];
  let shownAt = 0;
  const show = async (): Promise<void> => {
    shownAt = Date.now();
    if (answered.length === 0) return;
    const keys = answered.map(({ move }) => move.key);
    for (const answer of answered) deps.tell({ kind: "sent", ...answer });
    answered = [];
    await list.settle(keys);
    deps.announce();
  };
  return {
    show,
    async add(move: QueuedMove, order: BoardOrder): Promise<void> {
      answered.push({ move, order });
      if (Date.now() - shownAt >= SHOW_EVERY_MS) await show();
    },
    readUnanswered(): QueuedMove[] {
      const done = [...holding.readHeld(), ...answered.map(({ move }) => move)];
      return list.read().moves.filter(({ key }) => !done.some((move) => move.key === key));
    },
  };
};

/** Sends until nothing is left or something must be waited for. */
const createRound = (userId: number, parts: OutboxParts) => {
  const { list, deps, holding } = parts;
  const failures = createFailures(parts);
  const tellExpired = createTellExpired(parts);
  const answered = createAnswered(parts);
  const sendBatch = async (chosen: readonly QueuedMove[]): Promise<RoundEnd | null> => {
    await holding.release(chosen);
    // Another tab can have taken one back before.
    const batch = list.read().moves.filter(({ key }) => chosen.some((move) => move.key === key));
    const failed: { move: QueuedMove; error: Error }[] = [];
    for (const attempt of await sendTogether(batch, deps.send)) {
      if ("error" in attempt) failed.push(attempt);
      else {
        failures.end(attempt.move);
        await answered.add(attempt.move, attempt.answer);
      }
    }
    if (failed.length > 0) await answered.show();
    for (const { error, move } of failed) {
      const end = await failures.handle(error, move);
      // The others that failed are sent again with their keys.
      if (end) return end;
    }
    return null;
  };
  /** What waited may belong to an earlier session: the cookie of the browser can be another person's by now. */
  const checkUser = async (): Promise<RoundEnd | null> => {
    try {
      if ((await deps.readUserId()) === userId) return null;
      deps.tell({ kind: "other_person" });
      return "held";
    } catch (error) {
      return failures.handle(error as Error, null);
    }
  };
  return async (isStopped: () => boolean): Promise<RoundEnd> => {
    failures.dropCounts(await tellExpired());
    const ended = list.read().waitingKeys.size > 0 ? await checkUser() : null;
    if (ended) return ended;
    const takeNext = (isFirst: boolean) => takeBatch(answered.readUnanswered(), ({ orderId }) => orderId, isFirst);
    for (let batch = takeNext(true); batch.length > 0 && !isStopped(); batch = takeNext(false)) {
      const end = await sendBatch(batch);
      if (end) return end;
    }
    await answered.show();
    const dueAt = Math.min(...holding.readHeld().map((move) => move.dueAt ?? 0));
    return Number.isFinite(dueAt) ? { dueInMs: Math.max(0, dueAt - Date.now()) } : "empty";
  };
};
