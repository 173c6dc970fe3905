/** The moves of one person or screen that wait to be sent: in memory for the page, and stored so that they survive a reload. */
import { byTap, isTooOld, type QueuedMove, type Tap } from "./queued-moves.ts";

/** Each may reject: storage can be full, blocked or missing. */
export type MoveStorage<Move extends Tap = QueuedMove> = {
  list(owner: number): Promise<Move[]>;
  add(move: Move): Promise<void>;
  remove(keys: readonly string[]): Promise<void>;
};

/** The store of moves that can be taken back. A tab cannot take back what another has released, nor the other way round. */
export type HeldStorage = MoveStorage & {
  /** Returns those that are still stored. */
  release(keys: readonly string[], at: number): Promise<QueuedMove[]>;
  /** Deletes them and returns those that it left, because they were released. */
  takeBack(keys: readonly string[]): Promise<QueuedMove[]>;
};

/** `waitingKeys` are those that could not be sent at once. The others are on their way. */
export type MoveListState<Move extends Tap = QueuedMove> = { moves: readonly Move[]; waitingKeys: ReadonlySet<string> };

/** A move that is not sent by then counts as waiting, whatever the connection says. */
const WAITS_AFTER_MS = 3000;

/** What the page shows. */
const createMoveState = <Move extends Tap>() => {
  let state: MoveListState<Move> = { moves: [], waitingKeys: new Set() };
  const listeners = new Set<() => void>();
  const change = (moves: readonly Move[], waitingKeys: Iterable<string> = state.waitingKeys): void => {
    const waiting = new Set(waitingKeys);
    const keys = moves.map(({ key }) => key).filter((key) => waiting.has(key));
    state = { moves: moves.toSorted(byTap), waitingKeys: new Set(keys) };
    for (const listener of listeners) listener();
  };
  return {
    read: (): MoveListState<Move> => state,
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    change,
    markWaiting(keys: readonly string[] = state.moves.map(({ key }) => key)): void {
      if (keys.some((key) => !state.waitingKeys.has(key))) change(state.moves, [...state.waitingKeys, ...keys]);
    },
  };
};

/** What this page did with moves: when it made them, on a counter that no correction of the device's clock changes, and which it settled. */
const createPageMarks = <Move extends Tap>() => {
  const madeAt = new Map<string, number>();
  // Sent, but perhaps still stored.
  const settled = new Set<string>();
  return {
    make(move: Move): Move {
      madeAt.set(move.key, performance.now());
      return move;
    },
    settle(keys: readonly string[]): void {
      for (const key of keys) {
        settled.add(key);
        madeAt.delete(key);
      }
    },
    unsettle(keys: readonly string[]): void {
      for (const key of keys) settled.delete(key);
    },
    isSettled: ({ key }: Move): boolean => settled.has(key),
    /** A move of an earlier page or another tab has only the time of the device's clock. */
    isTooOld({ key, at }: Move, now: number): boolean {
      const made = madeAt.get(key);
      return made === undefined ? isTooOld(at, now) : isTooOld(made, performance.now());
    },
  };
};

/** The owner is a person, or a paired screen. */
export const createMoveList = <Move extends Tap = QueuedMove>(owner: number, storage: MoveStorage<Move>) => {
  const state = createMoveState<Move>();
  const { read, change } = state;
  const marks = createPageMarks<Move>();
  // These moves are not stored (yet).
  const unsaved = new Set<string>();
  const inTurn = createTurns();
  const remove = (keys: readonly string[]): Promise<void> => {
    marks.settle(keys);
    return inTurn(() => storage.remove(keys));
  };
  const parts = { state, marks, unsaved, inTurn };
  const takeOver = createTakeOver(parts);
  return {
    ...state,
    alter: createAlter(parts),
    /** Shown at once. Resolves when the move is stored, or cannot be. */
    async add(move: Move): Promise<void> {
      // A device's clock can be set back: the order of the taps must stay.
      const placed = marks.make({ ...move, at: Math.max(move.at, (read().moves.at(-1)?.at ?? 0) + 1) });
      unsaved.add(placed.key);
      change([...read().moves, placed]);
      setTimeout(() => state.markWaiting([placed.key]), Math.max(0, (move.dueAt ?? 0) - Date.now()) + WAITS_AFTER_MS);
      await inTurn(async () => {
        await storage.add(placed);
        unsaved.delete(placed.key);
      });
    },
    /** They need not, or must not, be sent any more. */
    async settle(keys: readonly string[]): Promise<void> {
      change(read().moves.filter(({ key }) => !keys.includes(key)));
      await remove(keys);
    },
    /** Takes over what other tabs and earlier pages stored. Returns the moves that became too old. */
    async refresh(now: number): Promise<Move[]> {
      let old: Move[] = [];
      await inTurn(async () => {
        old = takeOver(await storage.list(owner), now);
      });
      if (old.length > 0) await remove(old.map(({ key }) => key));
      return old;
    },
  };
};

type MoveListParts<Move extends Tap> = {
  state: ReturnType<typeof createMoveState<Move>>;
  marks: ReturnType<typeof createPageMarks<Move>>;
  unsaved: ReadonlySet<string>;
  inTurn: ReturnType<typeof createTurns>;
};

/** Returns the moves that became too old. */
const createTakeOver =
  <Move extends Tap>({ state: { read, change }, marks, unsaved }: MoveListParts<Move>) =>
  (given: readonly Move[], now: number): Move[] => {
    const { moves, waitingKeys } = read();
    const fresh = given.filter((move) => !marks.isSettled(move) && !unsaved.has(move.key));
    // A release that could not be stored holds for this page.
    const stored = fresh.map((move) => ({ ...moves.find(({ key }) => key === move.key), ...move }));
    const all = [...moves.filter(({ key }) => unsaved.has(key)), ...stored];
    const waited = stored.filter(({ at, dueAt = at, releasedAt = dueAt }) => now - releasedAt >= WAITS_AFTER_MS).map(({ key }) => key);
    const [old, kept] = [all.filter((move) => marks.isTooOld(move, now)), all.filter((move) => !marks.isTooOld(move, now))];
    change(kept, [...waitingKeys, ...waited]);
    return old;
  };

/** Changes moves here at once, null takes one away, and then in the storage, which gives what it has of them now: another tab can have been first. */
const createAlter =
  <Move extends Tap>({ state: { read, change }, marks, unsaved, inTurn }: MoveListParts<Move>) =>
  (keys: readonly string[], alterMove: (move: Move) => Move | null, alterStored: () => Promise<Move[]>): Promise<void> => {
    const altered = read().moves.flatMap((move) => (keys.includes(move.key) ? (alterMove(move) ?? []) : [move]));
    change(altered);
    marks.settle(keys.filter((key) => !altered.some((move) => move.key === key)));
    return inTurn(async () => {
      const stored = (await alterStored()).filter(({ key }) => !unsaved.has(key));
      marks.settle(keys.filter((key) => !unsaved.has(key)));
      marks.unsettle(stored.map(({ key }) => key));
      change([...read().moves.filter(({ key }) => unsaved.has(key) || !keys.includes(key)), ...stored]);
    });
  };

const STORAGE_MS_MAX = 2000;

/** One use of the storage after the other. What fails or hangs is left out: the list in memory still holds. */
const createTurns = () => {
  let last: Promise<void> = Promise.resolve();
  return (run: () => Promise<void>): Promise<void> => {
    last = last.then(() => {
      const tooLate = new Promise<void>((resolve) => setTimeout(resolve, STORAGE_MS_MAX));
      return Promise.race([run().catch(() => undefined), tooLate]);
    });
    return last;
  };
};
