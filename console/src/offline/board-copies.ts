/** The last board that was read, for a page that is loaded without a connection. Without storage there is none. */
import { type BoardState, deleteBoardCopy, readBoardCopy, saveBoard } from "./local-database.ts";

export type BoardOwner = { person: number; venue: string };

/** A busy evening changes the board often; a copy that is two seconds old is as good. */
const SAVE_EVERY_MS = 2000;

let waiting: { owner: BoardOwner; board: BoardState; at: number } | null = null;
let isPausing = false;

const save = (): void => {
  isPausing = waiting !== null;
  if (!waiting) return;
  const { owner, ...copy } = waiting;
  waiting = null;
  saveBoard(owner.person, owner.venue, copy).catch(() => undefined);
  setTimeout(save, SAVE_EVERY_MS);
};

/** `at`: when the board was last known to be right. */
export const keepBoard = (owner: BoardOwner, board: BoardState, at: number): void => {
  waiting = { owner, board, at };
  if (!isPausing) save();
};

export const findKeptBoard = async ({ person, venue }: BoardOwner): Promise<BoardState | null> => {
  const copy = await readBoardCopy(person, venue, Date.now()).catch(() => null);
  return copy && { ...copy.board, copiedAt: copy.at };
};

/** The person may not see it any more. */
export const dropKeptBoard = ({ person, venue }: BoardOwner): void => {
  waiting = null;
  deleteBoardCopy(person, venue).catch(() => undefined);
};
