/**
 * What this browser keeps for a time without a connection: moves that wait, the last board, the last session. It holds data of guests, so
 * each row names its person, sign-out deletes it, and nothing stays longer than twelve hours.
 */
import type { OrderTypeState } from "@comanda/contract/console/order-types.ts";
import type { BoardBranch, BoardOrder } from "@comanda/contract/console/orders.ts";
import type { SignedIn } from "@comanda/contract/console/session.ts";
import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { HeldStorage } from "./move-list.ts";
import { isTooOld, type QueuedMove } from "./queued-moves.ts";

const NAME = "comanda-offline";
const VERSION = 1;

/** The board as the page has it. */
export type BoardState = {
  position: string;
  orders: BoardOrder[];
  isCut: boolean;
  branches: BoardBranch[];
  orderTypes: OrderTypeState[];
  zone: string;
  /** How far the server's clock is ahead of this device's. */
  clockAheadMs: number;
  /** This device kept it from then, and the service has not been reached since. */
  copiedAt?: number;
};

type BoardCopy = { person: number; venue: string; at: number; board: BoardState };
type SessionCopy = { at: number; session: SignedIn };

interface OfflineSchema extends DBSchema {
  moves: { key: string; value: QueuedMove };
  boards: { key: [person: number, venue: string]; value: BoardCopy };
  /** One row, under "last". */
  sessions: { key: string; value: SessionCopy };
}
type OfflineDatabase = IDBPDatabase<OfflineSchema>;

let opened: Promise<OfflineDatabase> | undefined;

/** A browser that neither opens nor refuses must not hold up the page. */
const OPEN_MS_MAX = 2000;

const refuseLater = (): Promise<never> =>
  new Promise((_resolve, reject) => setTimeout(() => reject(new Error("The browser's database does not open.")), OPEN_MS_MAX));

const openOnce = async (): Promise<OfflineDatabase> =>
  openDB<OfflineSchema>(NAME, VERSION, {
    upgrade(database) {
      database.createObjectStore("moves", { keyPath: "key" });
      database.createObjectStore("boards", { keyPath: ["person", "venue"] });
      database.createObjectStore("sessions");
    },
    // A newer build in another tab needs another version.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
    terminated: () => {
      opened = undefined;
    },
  });

/** A database that could not be opened is tried again at the next use. */
const open = (): Promise<OfflineDatabase> => {
  opened ??= Promise.race([openOnce(), refuseLater()]);
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
};

const isReleased = ({ releasedAt }: QueuedMove): boolean => releasedAt !== undefined;

type MoveStore = { get(key: string): Promise<QueuedMove | undefined> };

const storedOf = async (store: MoveStore, keys: readonly string[]): Promise<QueuedMove[]> =>
  (await Promise.all(keys.map((key) => store.get(key)))).filter((move) => move !== undefined);

export const moveStorage: HeldStorage = {
  list: async (person) => (await (await open()).getAll("moves")).filter((move) => move.person === person),
  add: async (move) => void (await (await open()).put("moves", move)),
  async remove(keys) {
    const { store, done } = (await open()).transaction("moves", "readwrite");
    await Promise.all([...keys.map((key) => store.delete(key)), done]);
  },
  async release(keys, at) {
    const { store, done } = (await open()).transaction("moves", "readwrite");
    const released = (await storedOf(store, keys)).map((move) => ({ ...move, releasedAt: at }));
    await Promise.all([...released.map((move) => store.put(move)), done]);
    return released;
  },
  async takeBack(keys) {
    const { store, done } = (await open()).transaction("moves", "readwrite");
    const moves = await storedOf(store, keys);
    await Promise.all([...moves.filter((move) => !isReleased(move)).map(({ key }) => store.delete(key)), done]);
    return moves.filter(isReleased);
  },
};

/** The copies of all other people are deleted with it. Their moves stay: they are theirs to send, and name no guest. */
export const saveSession = async (session: SignedIn, now: number): Promise<void> => {
  const transaction = (await open()).transaction(["sessions", "boards"], "readwrite");
  const boards = transaction.objectStore("boards");
  const owners = await boards.getAllKeys();
  const others = owners.filter(([person]) => person !== session.person.id);
  await Promise.all([
    transaction.objectStore("sessions").put({ at: now, session }, "last"),
    ...others.map((owner) => boards.delete(owner)),
    transaction.done,
  ]);
};

export const readSessionCopy = async (now: number): Promise<(SignedIn & { copied_at: number }) | null> => {
  const copy = await (await open()).get("sessions", "last");
  if (!copy || isTooOld(copy.at, now) || new Date(copy.session.expires_at).getTime() <= now) return null;
  // They are answered with a connection.
  return { ...copy.session, invitations: [], copied_at: copy.at };
};

/** Only for the person whose session is kept: an answer that arrives after the sign-out is not stored. */
export const saveBoard = async (person: number, venue: string, copy: Pick<BoardCopy, "at" | "board">): Promise<void> => {
  const transaction = (await open()).transaction(["sessions", "boards"], "readwrite");
  const last = await transaction.objectStore("sessions").get("last");
  if (last?.session.person.id === person) await transaction.objectStore("boards").put({ person, venue, ...copy });
  await transaction.done;
};

export const readBoardCopy = async (person: number, venue: string, now: number): Promise<BoardCopy | null> => {
  const copy = await (await open()).get("boards", [person, venue]);
  return copy && !isTooOld(copy.at, now) ? copy : null;
};

export const deleteBoardCopy = async (person: number, venue: string): Promise<void> => (await open()).delete("boards", [person, venue]);

/** What must not be seen after the session: all copies. The moves of the person are deleted too when they signed out themselves. */
export const deleteCopies = async (signedOut: number | null): Promise<void> => {
  const transaction = (await open()).transaction(["moves", "boards", "sessions"], "readwrite");
  const moves = transaction.objectStore("moves");
  const theirs = (await moves.getAll()).filter(({ person }) => person === signedOut);
  await Promise.all([
    ...theirs.map(({ key }) => moves.delete(key)),
    transaction.objectStore("boards").clear(),
    transaction.objectStore("sessions").clear(),
    transaction.done,
  ]);
};

/** Deletes the copies of every person. The moves of the signed-in person are left to their outbox, which says that they were not sent. */
export const deleteOldCopies = async (signedIn: number, now: number): Promise<void> => {
  const transaction = (await open()).transaction(["moves", "boards", "sessions"], "readwrite");
  const [moves, boards, sessions] = [
    transaction.objectStore("moves"),
    transaction.objectStore("boards"),
    transaction.objectStore("sessions"),
  ];
  const [oldMoves, oldBoards, last] = [await moves.getAll(), await boards.getAll(), await sessions.get("last")];
  await Promise.all([
    ...oldMoves.filter(({ at, person }) => person !== signedIn && isTooOld(at, now)).map(({ key }) => moves.delete(key)),
    ...oldBoards.filter(({ at }) => isTooOld(at, now)).map(({ person, venue }) => boards.delete([person, venue])),
    last && isTooOld(last.at, now) ? sessions.delete("last") : null,
    transaction.done,
  ]);
};
