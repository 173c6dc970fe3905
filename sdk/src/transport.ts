/** One API call with token, idempotency key, timeout and retries. */
import { ApiError, ConnectionError, type RateLimit, rateLimitOf } from "./errors.ts";
import { createKeptKeys } from "./kept-keys.ts";
import { isRetryable, sleep, waitMs } from "./retries.ts";
import { checkRootUrl } from "./root-url.ts";

/** `isRejected`: the service answered 401 to the token `rejected`. Renew it unless it was renewed meanwhile. */
export type TokenContext = { isRejected: boolean; rejected?: string };

/** A token, or a function that gives one. */
export type Token = string | ((asked: TokenContext) => string | Promise<string>);

/** An attempt that failed, before the wait for the next one. */
export type Retry = {
  method: string;
  path: string;
  /** 1 for the first attempt. */
  attempt: number;
  waitMs: number;
  error: ApiError | ConnectionError;
};

export type ClientOptions = {
  /** The address of the service: `https://api.example.com`, without `/api/v1` and without a slash at the end. */
  rootUrl: string;
  token: Token;
  /** The time limit of one attempt; 30 seconds unless said otherwise. */
  timeoutMs?: number;
  /** How often a call is tried again after the first time; 3 unless said otherwise. */
  retries?: number;
  /** The longest wait between two attempts; 60 seconds unless said otherwise. If the service asks for more, its error is thrown at once. */
  maxWaitMs?: number;
  /** Told before each wait, for your log. If it throws, the call ends with what it throws. */
  onRetry?: (retry: Retry) => void;
  /** Sent with every call. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
};

export type CallOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  retries?: number;
  maxWaitMs?: number;
  /** Told of each wait of this call, after the client's own. */
  onRetry?: (retry: Retry) => void;
  /**
   * The key of a POST. Without it the client makes a new key and keeps it over all attempts, so that none has a second effect. When this
   * client was refused under the key, other content under it is a new request: the client then sends the key with a hash of the content.
   */
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
const WAIT_MS_MAX = 60_000;

const addressOf = (rootUrl: string, { path, query = {} }: ApiCall): string => {
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(pairs).toString();
  return `${rootUrl}/api/v1${path}${search && `?${search}`}`;
};

/** A body that is no JSON object is not from the API: a proxy's page, a sign-in page, another site. Its error says so. */
const readBody = async (response: Response, method: string, url: string): Promise<object> => {
  const text = await response.text();
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null && (!response.ok || "data" in body)) return body;
  } catch {
    // The error below describes the body.
  }
  const [type] = (response.headers.get("content-type") ?? "").split(";");
  const what = text === "" ? "an empty body" : type?.includes("html") ? "an HTML page" : "a body that is not the API's";
  const message = `${method} ${url} answered ${response.status} with ${what}: check rootUrl, and whether a proxy answers in place of the API.`;
  return { error: { message } };
};

type RequestAttempt = { call: ApiCall; key: string | undefined; token: string };

/** Sends the call once, within its time. */
const attempt = async (client: ClientOptions, { call, key, token }: RequestAttempt): Promise<Answer<unknown, unknown>> => {
  const send = client.fetch ?? globalThis.fetch.bind(globalThis);
  const { signal, timeoutMs = client.timeoutMs ?? TIMEOUT_MS } = call.options ?? {};
  const limit = AbortSignal.timeout(timeoutMs);
  const headers: Record<string, string> = { ...client.headers, authorization: `Bearer ${token}`, "service-reasons": "1" };
  if (call.body !== undefined) headers["content-type"] = "application/json";
  if (key !== undefined) headers["idempotency-key"] = key;
  const init = { method: call.method, headers, signal: signal ? AbortSignal.any([signal, limit]) : limit };
  const url = addressOf(client.rootUrl, call);
  let response: Response;
  let body: object;
  try {
    response = await send(url, call.body === undefined ? init : { ...init, body: JSON.stringify(call.body) });
    body = await readBody(response, call.method, url.replace(/\?.*/s, ""));
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const isTimeout = limit.aborted;
    throw new ConnectionError(isTimeout ? `No answer within ${timeoutMs} ms.` : "The service could not be reached.", cause, isTimeout);
  }
  if (!response.ok || "error" in body) throw new ApiError(response.status, response.headers, body);
  return answerOf(response.headers, body as { data: unknown; meta: unknown });
};

const answerOf = (headers: Headers, { data, meta }: { data: unknown; meta: unknown }): Answer<unknown, unknown> => ({
  data,
  meta,
  requestId: headers.get("x-request-id"),
  rateLimit: rateLimitOf(headers),
  isReplay: headers.get("idempotent-replayed") === "true",
});

/** How long to wait before the next attempt; throws the error when there is none. */
const planRetry = (client: ClientOptions, { method, path, options = {} }: ApiCall, tries: number, error: unknown): number => {
  const { retries = client.retries ?? RETRIES, maxWaitMs = client.maxWaitMs ?? WAIT_MS_MAX } = options;
  if (!isRetryable(error) || tries >= retries) throw error;
  const wait = waitMs(tries, error, maxWaitMs);
  if (wait === null) throw error;
  for (const tell of [client.onRetry, options.onRetry]) tell?.({ method, path, attempt: tries + 1, waitMs: wait, error });
  return wait;
};

export const createTransport = (client: ClientOptions): Transport => {
  checkRootUrl(client.rootUrl);
  const keptKeys = createKeptKeys();
  return async (call) => {
    const { idempotencyKey } = call.options ?? {};
    if (call.method !== "POST") return sendCall(client, call, undefined);
    if (idempotencyKey === undefined) return sendCall(client, call, crypto.randomUUID());
    const { key, end } = await keptKeys.take(idempotencyKey, [call.path, call.body]);
    const answer = await sendCall(client, call, key).catch((error: unknown) => {
      end(error);
      throw error;
    });
    end();
    return answer;
  };
};

/** Sends a call with all its attempts. */
const sendCall = async (client: ClientOptions, call: ApiCall, key: string | undefined): Promise<Answer<unknown, unknown>> => {
  const { token } = client;
  const { signal } = call.options ?? {};
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
      await sleep(planRetry(client, call, tries, error), signal);
    }
  }
};
