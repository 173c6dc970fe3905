/** Which failed attempts are sent again, and how long the client waits before. */
import { ApiError } from "./errors.ts";

const FIRST_WAIT_MS = 500;

export const isRetryable = ({ status, code }: ApiError): boolean =>
  status === 408 || status === 429 || status >= 500 || code === "idempotency_key_in_use";

/**
 * `Retry-After`, otherwise exponential backoff. The jitter spreads the retries of many clients. Null: the service asks for a longer wait
 * than `maxWaitMs`, and an earlier attempt would only be refused again.
 */
export const waitMs = (attempt: number, error: Error, maxWaitMs: number): number | null => {
  const asked = error instanceof ApiError ? error.rateLimit.retryAfterSeconds : null;
  if (asked === null) return Math.min(FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2), maxWaitMs);
  return asked * 1000 > maxWaitMs ? null : asked * 1000 + Math.random() * 250;
};

export const sleep = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    signal?.addEventListener("abort", end, { once: true });
  });
