/** Which failed attempts are sent again, and how long the client waits before. */
import { ApiError, ConnectionError } from "./errors.ts";

const FIRST_WAIT_MS = 500;
const BACKOFF_MS_MAX = 10_000;
/** A longer timer would run out at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

/** True when this call can succeed later: there was no response, too many calls, or a fault of the service. */
export const isRetryable = (error: unknown): error is ApiError | ConnectionError =>
  error instanceof ConnectionError ||
  (error instanceof ApiError &&
    (error.status === 408 || error.status === 429 || error.status >= 500 || error.code === "idempotency_key_in_use"));

/**
 * `Retry-After`, otherwise exponential backoff. The jitter spreads the retries of many clients. Null: the service asks for a longer wait
 * than `maxWaitMs`, and an earlier attempt would only be refused again.
 */
export const waitMs = (attempt: number, error: Error, maxWaitMs: number): number | null => {
  const asked = error instanceof ApiError ? error.rateLimit.retryAfterSeconds : null;
  if (asked === null) {
    const backoff = Math.min(FIRST_WAIT_MS * 2 ** attempt, BACKOFF_MS_MAX);
    return Math.min(backoff * (0.75 + Math.random() / 2), maxWaitMs);
  }
  return asked * 1000 > maxWaitMs ? null : asked * 1000 + Math.random() * 250;
};

export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", end);
        resolve();
      },
      Math.min(ms, TIMER_MS_MAX),
    );
    signal?.addEventListener("abort", end, { once: true });
  });
