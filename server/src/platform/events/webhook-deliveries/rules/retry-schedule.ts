/** When a delivery is sent again, and when it is given up. */

const DELAYS_SECONDS = [60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600];

/** Six attempts; each delay starts with the previous failure (open point D177). Null after the last one. */
export const nextAttemptDelaySeconds = (attempts: number): number | null => DELAYS_SECONDS[attempts - 1] ?? null;

/** Failures before sending. Only a replay sends such a delivery. */
const NOT_SENT: readonly (string | null)[] = ["removed", "disconnected", "lapsed", "restored"];

/** Nothing was sent, so the failure says nothing about the receiver. */
export const isNotSent = (failure: string | null): boolean => NOT_SENT.includes(failure);

/** No secret could be decrypted. That counts as no attempt; the delivery is tried again after a wait, without a limit. */
export const isWithoutKey = (failure: string | null): boolean => failure === "secret";

const KEY_WAIT_MS = 60_000;

export const afterKeyWait = (now: Date): Date => new Date(now.getTime() + KEY_WAIT_MS);

export type NextAttempt = { state: "done" | "waiting" | "failed"; due_at: Date | null };

/** `delaySeconds` comes from the retry schedule; null after the last attempt. */
export const nextAttempt = (failure: string | null, delaySeconds: number | null, now: Date): NextAttempt => {
  if (failure === null) return { state: "done", due_at: null };
  if (delaySeconds === null || isNotSent(failure)) return { state: "failed", due_at: null };
  return { state: "waiting", due_at: new Date(now.getTime() + delaySeconds * 1000) };
};
