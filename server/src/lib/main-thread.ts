/**
 * Charges long turns of the main thread to the venue that they were for. Connections are shared fairly, but a turn cannot be interrupted:
 * while a large menu is put together, no request is answered. Sending large answers is charged by their bytes, because it is done in many
 * short turns. A venue that has used up its allowance waits before its next request, as long as other venues are active.
 */

/** A shorter turn is not charged: many of them take turns with those of others. */
export const LONG_TURN_MS = 3;
/** A manager who opens and saves a large menu does not wait. */
const ALLOWANCE_MS = 400;
/** A debt is never longer than this, so that a venue waits for half a second at most. */
const DEBT_MS_MAX = 500;
/** The part of the main thread that long turns of one venue take for long. */
const SHARE = 0.2;
const VENUES_MAX = 10_000;
/** Measured: copies into the socket, with the work of the connection. */
const SENDING_MS_PER_BYTE = 1 / (1024 * 1024);

/** `usedMs` is the processor time of the thread: waiting for a busy machine is not charged. */
export type ThreadTime = { nowMs: number; usedMs: number };

export type MainThread = {
  /** What runs from now until the next call is for this venue; null for none. */
  begin(venue: number | null, at: ThreadTime): void;
  end(at: ThreadTime): void;
  /** So many bytes of an answer that is kept will be sent. */
  chargeSending(venue: number, bytes: number, nowMs: number): void;
  isResting(venue: number | null, nowMs: number): boolean;
};

type Debt = { ms: number; atMs: number };
type ThreadTurn = { venue: number | null; usedMs: number };

export const createMainThread = (): MainThread => {
  const debts = new Map<number, Debt>();
  let turn: ThreadTurn | null = null;
  const debtOf = (venue: number, nowMs: number): number => {
    const debt = debts.get(venue);
    return debt ? Math.max(0, debt.ms - (nowMs - debt.atMs) * SHARE) : 0;
  };
  const charge = (venue: number, ms: number, nowMs: number): void => {
    const owed = Math.min(DEBT_MS_MAX, debtOf(venue, nowMs) + ms);
    debts.delete(venue);
    debts.set(venue, { ms: owed, atMs: nowMs });
    const [oldest] = debts.keys();
    if (debts.size > VENUES_MAX && oldest !== undefined) debts.delete(oldest);
  };
  const end = ({ nowMs, usedMs }: ThreadTime): void => {
    const ms = turn ? usedMs - turn.usedMs : 0;
    if (turn && turn.venue !== null && ms >= LONG_TURN_MS) charge(turn.venue, ms, nowMs);
    turn = null;
  };
  return {
    begin(venue, at) {
      end(at);
      turn = { venue, usedMs: at.usedMs };
    },
    end,
    chargeSending: (venue, bytes, nowMs) => charge(venue, bytes * SENDING_MS_PER_BYTE, nowMs),
    isResting: (venue, nowMs) => venue !== null && debtOf(venue, nowMs) > ALLOWANCE_MS,
  };
};
