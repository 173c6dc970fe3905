/** One call to the server under test. Whatever comes back is checked against the contract before the test sees it. */
import { type Answer, answerProblems, type Json, type Request } from "./answer-check.ts";
import { target } from "./target.ts";

export type Query = Readonly<Record<string, string | number | boolean>>;

export type Call = {
  /** A string is sent as it stands, for repeated parameters and odd spellings. */
  readonly query?: Query | string;
  readonly body?: unknown;
  /** Sent as it stands instead of `body`. */
  readonly rawBody?: string;
  /** `application/json` unless said otherwise; null sends no Content-Type at all. */
  readonly contentType?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

/** `path` is below the base URL, or a whole address such as `links.next`. A token of null sends no Authorization. */
export const call = async (token: string | null, method: string, path: string, options: Call = {}): Promise<Answer> => {
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

/** Completes an answer and refuses it where the contract would. */
export const checked = (request: Request, received: Omit<Answer, "body">): Answer => {
  const answer: Answer = { ...received, body: parsed(received.text) };
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

const headersOf = (token: string | null, { headers, contentType = "application/json", ...rest }: Call): Headers => {
  const sent = new Headers(headers);
  if (token !== null && !sent.has("authorization")) sent.set("authorization", `Bearer ${token}`);
  if (contentType !== null && bodyOf(rest) !== undefined) sent.set("content-type", contentType);
  return sent;
};

/** Bytes, not text: fetch would add a Content-Type of its own to a string. */
const bodyOf = ({ body, rawBody }: Call): Uint8Array<ArrayBuffer> | undefined => {
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  return text === undefined ? undefined : new TextEncoder().encode(text);
};

const parsed = (text: string): Json => {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
};
