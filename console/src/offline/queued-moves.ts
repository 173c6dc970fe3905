/** Rules of the moves that wait to be sent: which wait, what an answer means for them, and when to try again. */
import type { OrderStatus, StatusMove } from "@comanda/contract/venue/orders.ts";
import { CallError, isServiceAway } from "#kit/api.ts";

/**
 * The key was made at the tap, so however often it is sent, it has one effect. Until `dueAt` it is held and can be taken back, unless it was
 * released before: because it is being sent, or because its page was hidden.
 */
export type Tap = { key: string; at: number; dueAt?: number; releasedAt?: number };

/** One tap of a person. */
export type QueuedMove = Tap & {
  person: number;
  venue: string;
  orderId: string;
  name: string;
  seenStatus: OrderStatus;
  status: StatusMove["status"];
  /** What is still to be paid, in words. */
  unpaid?: string | null;
};

/** Local copies are deleted after this time: what was right at noon may be wrong at midnight. */
export const KEEP_MS = 12 * 60 * 60 * 1000;

export const isTooOld = (at: number, now: number): boolean => now - at >= KEEP_MS;

/** The steps of the kitchen and the counter. A rejection or a cancellation without a connection is refused, and the page says so. */
const QUEUED: readonly StatusMove["status"][] = ["accepted", "ready", "completed"];

export const isQueued = (status: StatusMove["status"]): boolean => QUEUED.includes(status);

/** `away`: try again later. `refused`: it will never succeed. */
export type FailedSend = "away" | "signed_out" | "refused";

const SERVER_ERRORS_MAX = 3;

/** The service is there and failed. Repeating it may fail for ever. */
export const isServerFault = (error: unknown): boolean => error instanceof CallError && error.status >= 500 && !isServiceAway(error);

/**
 * An answer that our service did not write, such as the page of a hotel's network, says nothing about the move. A fault of the service is
 * tried three times, so that one move cannot hold up the others.
 */
export const readFailure = (error: unknown, serverFaults: number): FailedSend => {
  if (!(error instanceof CallError)) return "refused";
  if (isServiceAway(error) || error.code === "idempotency_key_in_use" || error.code === "rate_limited") return "away";
  if (isServerFault(error)) return serverFaults < SERVER_ERRORS_MAX ? "away" : "refused";
  return error.code === "signed_out" ? "signed_out" : "refused";
};

const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 2000;
/** Boards that lost the service together come back spread over this share of the pause. */
const SPREAD = 0.25;

export const pauseAfter = (failures: number, error: unknown, random: number): number => {
  const asked = error instanceof CallError && error.code === "rate_limited" ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const pause = Math.min(PAUSE_MS_MAX, PAUSE_MS_MIN * 2 ** Math.max(0, failures - 1));
  return Math.max(asked, pause * (1 - SPREAD * random));
};

export const byTap = (a: Tap, b: Tap): number => a.at - b.at || a.key.localeCompare(b.key);

/** How long a step of an order can be taken back before it is sent. */
export const UNDO_MS = 5000;

/** A clock that was set back must not hold a move longer. */
export const canBeTakenBack = ({ dueAt, releasedAt }: Tap, now: number): boolean => {
  const leftMs = (dueAt ?? now) - now;
  return releasedAt === undefined && leftMs > 0 && leftMs <= UNDO_MS;
};

/** The order's next step means that the person meant this one. */
export const isHeldBack = (move: QueuedMove, moves: readonly QueuedMove[], now: number): boolean =>
  canBeTakenBack(move, now) && !moves.some((other) => other.orderId === move.orderId && byTap(other, move) > 0);

/** A refused move takes the later moves of its order with it: they were made for a state that never came. */
export const movesToDrop = (moves: readonly QueuedMove[], refused: QueuedMove): QueuedMove[] =>
  moves.filter((move) => move.key === refused.key || (move.orderId === refused.orderId && byTap(move, refused) > 0));

/** A browser opens six connections to one service: the others stay free for the page. */
const SENT_TOGETHER_MAX = 3;

/**
 * What is sent together: the oldest move of each subject, so the moves of one order or ticket keep their order. The first of a round is sent
 * alone: while the service is away, one request finds that out.
 */
export const takeBatch = <Move>(moves: readonly Move[], subjectOf: (move: Move) => string | number, isFirst: boolean): Move[] => {
  const batch = new Map<string | number, Move>();
  for (const move of moves) {
    if (batch.size >= (isFirst ? 1 : SENT_TOGETHER_MAX)) break;
    if (!batch.has(subjectOf(move))) batch.set(subjectOf(move), move);
  }
  return [...batch.values()];
};

export type Attempt<Move, Answer> = { move: Move } & ({ answer: Answer } | { error: Error });

/** Sends them beside each other. The answers have the order of the taps. */
export const sendTogether = <Move, Answer>(
  moves: readonly Move[],
  send: (move: Move) => Promise<Answer>,
): Promise<Attempt<Move, Answer>[]> =>
  Promise.all(
    moves.map((move) =>
      send(move).then(
        (answer) => ({ move, answer }),
        (error: Error) => ({ move, error }),
      ),
    ),
  );
