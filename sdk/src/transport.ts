/** One API call with token, idempotency key, timeout and retries. */
import { ApiError, ConnectionError, type ErrorBody, type RateLimit, rateLimitOf } from "./errors.ts";
import { isRetryable, sleep, waitMs } from "./retries.ts";

/** `isRejected`: the service answered 401 to the token `rejected`. Renew it unless it was renewed meanwhile. */
export type TokenContext = { isRejected: boolean; rejected?: string };

/** A token, or a function that gives one. */
export type Token = string | ((asked: TokenContext) => string | Promise<string>);

export type ClientOptions = {
  /** Where the service is, without `/api/v1`. */
  rootUrl: string;
  token: Token;
  /** For one attempt; 30 seconds unless said otherwise. */
  timeoutMs?: number;
  /** How often a call is tried again after the first time; 3 unless said otherwise. */
  retries?: number;
  /** Sent with every call. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
};

export type CallOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  /** For a POST. Without one a new key is made and kept over all attempts, so that none has a second effect. */
  idempotencyKey?: string;
};

export type ApiCall = { method: string; path: string; query?: Record<string, unknown>; body?: unknown; options?: CallOptions };

export type Answer<Data, Meta> = {
  data: Data;
  meta: Meta;
  requestId: string | null;
  rateLimit: RateLimit;
  /** True when the service had answered this Idempotency-Key before. */
  isReplay: boolean;
};

export type Transport = (call: ApiCall) => Promise<Answer<unknown, unknown>>;

const TIMEOUT_MS = 30_000;
const RETRIES = 3;
const addressOf = (rootUrl: string, { path, query = {} }: ApiCall): string => {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(pairs).toString();
  return `${rootUrl.replace(/\/+$/, "")}/api/v1${path}${search && `?${search}`}`;
};

const readJson = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

type RequestAttempt = { call: ApiCall; key: string | undefined; token: string };

/** Sent once, within its time. */
const attempt = async (client: ClientOptions, { call, key, token }: RequestAttempt): Promise<Answer<unknown, unknown>> => {
  const send = client.fetch ?? globalThis.fetch.bind(globalThis);
  const { signal, timeoutMs = client.timeoutMs ?? TIMEOUT_MS } = call.options ?? {};
  const limit = AbortSignal.timeout(timeoutMs);
  const headers: Record<string, string> = { ...client.headers, authorization: `Bearer ${token}`, "service-reasons": "1" };
  if (call.body !== undefined) headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  const init = { method: call.method, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit };
  let response: Response;
  let body: unknown;
  try {
    response = await send(addressOf(client.rootUrl, call), call.body === undefined ? init : { ...init, body: JSON.stringify(call.body) });
    body = await readJson(response);
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const isTimeout = limit.aborted;
    throw new ConnectionError(isTimeout ? `No answer within ${timeoutMs} ms.` : "The service could not be reached.", cause, isTimeout);
  }
  if (!response.ok) throw new ApiError(response.status, response.headers, body as ErrorBody | null);
  return answerOf(response.headers, body as { data: unknown; meta: unknown });
};

const answerOf = (headers: Headers, { data, meta }: { data: unknown; meta: unknown }): Answer<unknown, unknown> => ({
  data,
  meta,
  requestId: headers.get("x-request-id"),
  rateLimit: rateLimitOf(headers),
  isReplay: headers.get("idempotent-replayed") === "true",
});

export const createTransport = (client: ClientOptions): Transport => {
  const { token } = client;
  return async (call) => {
    const { signal, retries = client.retries ?? RETRIES, idempotencyKey } = call.options ?? {};
    const key = call.method === "POST" ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    let rejected: string | null = null;
    let isRenewed = false;
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted();
      let given = "";
      try {
        given = typeof token === "string" ? token : await token(rejected === null ? { isRejected: false } : { isRejected: true, rejected });
        rejected = null;
        return await attempt(client, { call, key, token: given });
      } catch (error) {
        // A token function is given one chance to renew what was refused.
        if (error instanceof ApiError && error.status === 401 && typeof token === "function" && !isRenewed) {
          isRenewed = true;
          rejected = given;
          tries--;
          continue;
        }
        const isLost = error instanceof ConnectionError || (error instanceof ApiError && isRetryable(error));
        if (!isLost || tries >= retries) throw error;
        await sleep(waitMs(tries, error), signal);
      }
    }
  };
};
