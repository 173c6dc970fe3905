/** Ends one send before its outcome is known. An AbortController with its listeners cost as much as the request itself. */
import type { Failure } from "../rules/failures.ts";

/** This service ended the send; `failure` says why. */
export class SendCancelledError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure);
    this.failure = failure;
  }
}

export type Cancellation = {
  /** Only the first call counts. */
  cancel(failure: Failure): void;
  onCancel(listener: (reason: SendCancelledError) => void): void;
  throwIfCancelled(): void;
};

export const createCancellation = (): Cancellation => {
  const listeners: ((reason: SendCancelledError) => void)[] = [];
  let reason: SendCancelledError | null = null;
  return {
    cancel(failure) {
      if (reason) return;
      reason = new SendCancelledError(failure);
      for (const listener of listeners) listener(reason);
    },
    onCancel: (listener) => void listeners.push(listener),
    throwIfCancelled() {
      if (reason) throw reason;
    },
  };
};
