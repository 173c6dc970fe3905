/** One call to the server under test. The answer is checked against the contract before the test gets it. */
import { answerProblems, type CheckedAnswer, type JsonValue, type Request } from "./answer-check.ts";
import { recordAnswer } from "./answer-recorder.ts";
import { target } from "./target.ts";

export type Query = Readonly<Record<string, string | number | boolean>>;

export type ConformanceCall = {
  /** A string is sent unchanged, for repeated parameters and unusual spellings. */
  readonly query?: Query | string;
  readonly body?: unknown;
  /** Sent unchanged instead of `body`. */
  readonly rawBody?: string;
  /** The default is `application/json`; null sends no Content-Type. */
  readonly contentType?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** `path` is below the base URL, or a whole address such as `links.next`. A token of null sends no Authorization. */
export const call = async (token: string | null, method: string, path: string, options: ConformanceCall = {}): Promise<CheckedAnswer> => {
  const url = addressOf(path, options.query);
  const response = await fetch(url, {
    method,
    headers: headersOf(token, options),
    body: bodyOf(options),
    redirect: "manual",
  });
  const text = await response.text();
  return checked({ token, method, path: pathBelowBase(url) }, { status: response.status, headers: response.headers, text });
};

/** Completes an answer and fails if it breaks the contract. */
export const checked = (request: Request, received: Omit<CheckedAnswer, "body">): CheckedAnswer => {
  recordAnswer(request, received);
  const answer: CheckedAnswer = { ...received, body: parsed(received.text) };
  const problems = answerProblems(request, answer);
  if (problems.length === 0) return answer;
  const shown = received.text.length > 600 ? `${received.text.slice(0, 600)}…` : received.text;
  throw new Error(`${request.method} ${request.path} → ${answer.status}\n- ${problems.join("\n- ")}\n${shown}`);
};

export const addressOf = (path: string, query?: Query | string): string => {
  const base = path.startsWith("http") ? path : `${target.base_url}${path}`;
  if (query === undefined) return base;
  const text = typeof query === "string" ? query : new URLSearchParams(pairsOf(query)).toString();
  return text === "" ? base : `${base}${base.includes("?") ? "&" : "?"}${text}`;
};

const pathBelowBase = (url: string): string => url.replace(target.base_url, "");

const pairsOf = (query: Query): [string, string][] => Object.entries(query).map(([name, value]) => [name, String(value)]);

const headersOf = (token: string | null, { headers, contentType = "application/json", ...rest }: ConformanceCall): Headers => {
  const sent = new Headers(headers);
  if (token !== null && !sent.has("authorization")) sent.set("authorization", `Bearer ${token}`);
  if (contentType !== null && bodyOf(rest) !== undefined) sent.set("content-type", contentType);
  return sent;
};

/** Bytes, not text: fetch would add a Content-Type of its own to a string. */
const bodyOf = ({ body, rawBody }: ConformanceCall): Uint8Array<ArrayBuffer> | undefined => {
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  return text === undefined ? undefined : new TextEncoder().encode(text);
};

const parsed = (text: string): JsonValue => {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
};
