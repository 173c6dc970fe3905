/** Errors of a call: the service refused it, or there was no response. */
import type { ErrorCode, FieldReason, Scope } from "./types.generated.ts";

export type RateLimit = { limit: number | null; remaining: number | null; retryAfterSeconds: number | null };

/** `http_502` and the like: the answer has no code, because a proxy or another server sent it. Codes are added over time: keep a default. */
export type ApiErrorCode = ErrorCode | `http_${number}`;

export type ErrorBody = { error?: { code?: ApiErrorCode; message?: string; details?: Record<string, unknown>; reasons?: FieldReason[] } };

const wholeNumber = (text: string | null): number | null => (text !== null && /^\d+$/.test(text) ? Number(text) : null);

export const rateLimitOf = (headers: Headers): RateLimit => ({
  limit: wholeNumber(headers.get("x-ratelimit-limit")),
  remaining: wholeNumber(headers.get("x-ratelimit-remaining")),
  retryAfterSeconds: wholeNumber(headers.get("retry-after")),
});

/** An answer of the service that is no success. Switch on `code`; the message is for people and may change. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: ApiErrorCode;
  readonly details: Record<string, unknown>;
  /** Why the service refused it, for programs: of 409 and 422. Empty where the code says it all, or the service is older. */
  readonly reasons: readonly FieldReason[];
  readonly requestId: string | null;
  readonly rateLimit: RateLimit;
  /** True when this refusal was kept under the Idempotency-Key of an earlier request: nothing was tried now. */
  readonly isReplay: boolean;

  constructor(status: number, headers: Headers, body: ErrorBody | null) {
    const { code = `http_${status}` as const, message = `The service answered ${status}.`, details = {}, reasons = [] } = body?.error ?? {};
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.reasons = reasons;
    this.requestId = headers.get("x-request-id");
    this.rateLimit = rateLimitOf(headers);
    this.isReplay = headers.get("idempotent-replayed") === "true";
  }

  /** Set when the code is `validation_failed`: the path of each faulty field, and what is wrong with it. */
  get fields(): Record<string, string[]> {
    return this.code === "validation_failed" ? (this.details as Record<string, string[]>) : {};
  }

  /** Set when the code is `insufficient_scope`: the scope that the token lacks. */
  get requiredScope(): Scope | null {
    const scope = this.details.required_scope;
    return typeof scope === "string" ? (scope as Scope) : null;
  }
}

/** No response: the connection failed or the timeout passed. `cause` has the reason. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly isTimeout: boolean;

  constructor(message: string, cause: unknown, isTimeout: boolean) {
    super(message, { cause });
    this.isTimeout = isTimeout;
  }
}
