/** Chooses the key of a call that names its own: after a refusal, corrected content is a new request and gets a key of its own. */
import { ApiError } from "./errors.ts";
import { canonicalJson, idempotencyKey } from "./idempotency.ts";

type KeyUse = { key: string; content: string; isRefused: boolean };

export type KeptKeys = {
  /** The key to send, and the function to call when the call has ended. */
  take(name: string, content: unknown): Promise<{ key: string; end(error?: unknown): void }>;
};

const NAMES_MAX = 1000;
/** A hash is appended to the name: the whole key has at most the 255 characters that the service takes. */
const NAME_LENGTH_MAX = 222;

/** The service stored these answers under the key. */
const isStoredRefusal = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === "validation_failed" || error.code === "invalid_transition");

/** Refused before the key was looked at: the key has no answer yet. */
const isUnstored = (error: unknown): boolean => error instanceof ApiError && error.status < 500 && !isStoredRefusal(error);

/**
 * Without a refusal the name itself is sent, and other content under it is refused by the service: the first request may have had its
 * effect. Names are remembered by this client only, as long as it lives.
 */
export const createKeptKeys = (): KeptKeys => {
  const uses = new Map<string, KeyUse>();
  return {
    async take(name, value) {
      const content = canonicalJson(value);
      const before = uses.get(name);
      const isCorrected = before?.isRefused === true && before.content !== content;
      const key = isCorrected ? await idempotencyKey(name.slice(0, NAME_LENGTH_MAX), value) : (before?.key ?? name);
      return {
        key,
        end(error) {
          if (isUnstored(error)) return;
          uses.delete(name);
          uses.set(name, { key, content, isRefused: isStoredRefusal(error) });
          const [oldest] = uses.keys();
          if (uses.size > NAMES_MAX && oldest !== undefined) uses.delete(oldest);
        },
      };
    },
  };
};
