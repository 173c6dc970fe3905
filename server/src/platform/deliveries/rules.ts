/** What an attempt makes of its delivery and of its endpoint's health, and when the owner is told. */

export type Health = {
  failures_in_row: number;
  failing_since: Date | null;
  last_success_at: Date | null;
  last_failure_at: Date | null;
  last_failure: string | null;
  told_at: Date | null;
};

/** Results in the order in which they came; null is a success. */
export const healthAfter = (before: Health, results: readonly (string | null)[], now: Date): Health => {
  let health = before;
  for (const failure of results)
    health =
      failure === null
        ? { ...health, failures_in_row: 0, failing_since: null, last_success_at: now }
        : {
            ...health,
            failures_in_row: health.failures_in_row + 1,
            failing_since: health.failing_since ?? now,
            last_failure_at: now,
            last_failure: failure,
          };
  return health;
};

type Shown = { is_paused: boolean; failing_since: Date | null; last_failure_at: Date | null; waiting: number };

const RECENT_FAILURE_MS = 10 * 60 * 1000;

/** How an endpoint is shown to its owner. One success between failures does not make it a working one. */
export const shownState = (endpoint: Shown, now: Date): "working" | "unsteady" | "failing" | "paused" => {
  if (endpoint.is_paused) return "paused";
  if (endpoint.failing_since !== null) return "failing";
  const failedMs = endpoint.last_failure_at === null ? Number.POSITIVE_INFINITY : now.getTime() - endpoint.last_failure_at.getTime();
  return endpoint.waiting > 0 || failedMs < RECENT_FAILURE_MS ? "unsteady" : "working";
};

const TELL_FROM_FAILURES = 10;
const TELL_AFTER_MS = 60 * 60 * 1000;
const TELL_AGAIN_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Not at the first trouble: a deployment or a short outage heals itself by the schedule. After an hour without a single
 * success, or as soon as something is given up; then once a day for as long as it lasts, and at once when it has recovered
 * and an hour goes wrong again (open point D181). An endpoint that refuses some events and takes others recovers with each
 * that it takes: its owner is told once a day, not of each event that is given up.
 */
export const shouldTellOwner = ({ failures_in_row, failing_since, told_at }: Health, hasGivenUp: boolean, now: Date): boolean => {
  const failingMs = failing_since === null ? 0 : now.getTime() - failing_since.getTime();
  const isDown = failingMs >= TELL_AFTER_MS && (hasGivenUp || failures_in_row >= TELL_FROM_FAILURES);
  const isToldLately = told_at !== null && now.getTime() - told_at.getTime() < TELL_AGAIN_AFTER_MS;
  const isAnotherTime = told_at !== null && failing_since !== null && failing_since > told_at;
  return isToldLately ? isDown && isAnotherTime : isDown || hasGivenUp;
};

/** As a mail may show it: what follows the path may be a password of the receiver's. */
export const shownAddress = (url: string): string => url.replace(/[?#].*$/s, "");

/** The receiver had no part in it: nothing was sent, and the owner could do nothing about it. */
export const isOurs = (failure: string | null): boolean => isParked(failure);

/** No secret could be opened, so nothing was sent: that is no attempt, and it is looked at again after a wait, however long it takes. */
export const isWithoutKey = (failure: string | null): boolean => failure === "secret";

const KEY_WAIT_MS = 60_000;

export const afterWait = (now: Date): Date => new Date(now.getTime() + KEY_WAIT_MS);

/** Nothing was sent, and nothing will be until somebody replays it. */
const isParked = (failure: string | null): boolean => failure === "removed" || failure === "lapsed" || failure === "restored";

export type Next = { state: "done" | "waiting" | "failed"; due_at: Date | null };

/** `delaySeconds` is the schedule's answer after this attempt. */
export const nextStep = (failure: string | null, delaySeconds: number | null, now: Date): Next => {
  if (failure === null) return { state: "done", due_at: null };
  if (delaySeconds === null || isParked(failure)) return { state: "failed", due_at: null };
  return { state: "waiting", due_at: new Date(now.getTime() + delaySeconds * 1000) };
};
