/** Which failed attempts are sent again, and how long the client waits before. */
import { ApiError } from "./errors.ts";

const FIRST_WAIT_MS = 500;
const WAIT_MS_MAX = 60_000;

export const isRetryable = ({ status, code }: ApiError): boolean =>
  status === 408 || status === 429 || status >= 500 || code === "idempotency_key_in_use";

/** `Retry-After`, otherwise exponential backoff. The jitter spreads the retries of many clients. */
export const waitMs = (attempt: number, error: Error): number => {
  const asked = error instanceof ApiError ? error.rateLimit.retryAfterSeconds : null;
  const wait = asked === null ? FIRST_WAIT_MS * 2 ** attempt * (0.75 + Math.random() / 2) : asked * 1000 + Math.random() * 250;
  return Math.min(wait, WAIT_MS_MAX);
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
