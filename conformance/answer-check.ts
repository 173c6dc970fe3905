/** Rules for every answer under the API's prefix; the kit checks each answer it receives. */
import { ERRORS, type ErrorCode } from "@comanda/contract/errors.ts";
import { type ApiOperationId, apiOperationEntries } from "@comanda/contract/operations.ts";
import { isScope } from "@comanda/contract/scopes.ts";
import { successProblems } from "./strict-schema.ts";

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonValues;
export type JsonValues = { [key: string]: JsonValue };

export type CheckedAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; null where there is none. */
  readonly body: JsonValue;
};

/** `asksForReasons`: it carries `Service-Reasons: 1`. */
export type Request = { readonly token: string | null; readonly method: string; readonly path: string; readonly asksForReasons?: boolean };

export const answerProblems = (request: Request, answer: CheckedAnswer): string[] => {
  const problems = [...headerProblems(answer), ...secretProblems(request, answer), ...sandboxProblems(request, answer)];
  if (request.method === "HEAD") return answer.text === "" ? problems : [...problems, "a HEAD answer has a body"];
  if (answer.status >= 400) return [...problems, ...errorProblems(request, answer)];
  const id = operationAt(request);
  if (!id) return [...problems, `status ${answer.status} for something that is no operation`];
  return [...problems, ...successProblems(id, answer.body)];
};

/** The operation of a method and a path below the base URL; the path may have a query and a final slash. */
export const operationAt = ({ method, path }: Pick<Request, "method" | "path">): ApiOperationId | undefined => {
  const bare = path.replace(/[?#].*$/, "").replace(/\/$/, "");
  return apiOperationEntries.find(([, operation]) => operation.method === method && pathPattern(operation.path).test(bare))?.[0];
};

const pathPattern = (template: string): RegExp => new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);

const headerProblems = ({ status, headers }: CheckedAnswer): string[] => {
  const problems: string[] = [];
  if (!/^application\/json\b/.test(headers.get("content-type") ?? "")) problems.push("Content-Type is not JSON");
  const limit = headers.get("x-ratelimit-limit");
  if (!/^[1-9]\d*$/.test(limit ?? "")) problems.push(`X-RateLimit-Limit is ${limit}`);
  const remaining = headers.get("x-ratelimit-remaining");
  if (!/^\d+$/.test(remaining ?? "")) problems.push(`X-RateLimit-Remaining is ${remaining}`);
  if (status !== 429) return problems;
  if (remaining !== "0") problems.push(`a 429 leaves ${remaining} calls`);
  const retryAfter = headers.get("retry-after");
  if (!/^[1-9]\d*$/.test(retryAfter ?? "")) problems.push(`a 429 has Retry-After ${retryAfter}`);
  return problems;
};

/** A token is shown once, at its creation: no answer may repeat it. */
const secretProblems = ({ token }: Request, { text, headers }: CheckedAnswer): string[] => {
  const secret = token?.split("|")[1];
  if (!secret) return [];
  return [text, ...headers.values()].some((shown) => shown.includes(secret)) ? ["the answer repeats the token"] : [];
};

/** Every answer to a valid sandbox token has the header (R1-09); no other answer has it. */
const sandboxProblems = ({ token }: Request, { status, headers }: CheckedAnswer): string[] => {
  const mark = headers.get("service-sandbox");
  const isSandbox = /\|svc_sbx_/.test(token ?? "") && status !== 401;
  // An app's token does not show whether it is of a sandbox.
  if (mark === "true" && status !== 401 && /\|svc_oat_/.test(token ?? "")) return [];
  // A server that cannot query the token does not know its venue.
  if (mark === null && (!isSandbox || status >= 500)) return [];
  return mark === (isSandbox ? "true" : null) ? [] : [`Service-Sandbox is ${mark}`];
};

/** The contract's members; a refusal by a rule has reasons in addition, for those who ask. */
const membersOf = ({ asksForReasons = false }: Request, status: number): string =>
  asksForReasons && (status === 409 || status === 422) ? "code,details,message,reasons" : "code,details,message";

const errorProblems = (request: Request, { status, body }: CheckedAnswer): string[] => {
  if (!isObject(body) || keysOf(body) !== "error" || !isObject(body.error)) return ["the body is not {error: {…}}"];
  const { code, message, details } = body.error;
  const problems: string[] = [];
  const members = keysOf(body.error);
  // A 429 has a reason only where the limit is not the one of the minute.
  if (members !== membersOf(request, status) && !(status === 429 && request.asksForReasons && members === membersOf(request, 422)))
    problems.push(`error has the members ${keysOf(body.error)}`);
  if (typeof message !== "string" || message.trim() === "") problems.push("error.message is not a text");
  if (typeof code !== "string" || !Object.hasOwn(ERRORS, code)) return [...problems, `error.code is ${JSON.stringify(code)}`];
  const known = code as ErrorCode;
  if (ERRORS[known].status !== status) problems.push(`${code} came with status ${status}`);
  if (!isObject(details)) return [...problems, "error.details is not an object"];
  const fault = DETAILS[known] ?? nothing;
  return fault(details) ? problems : [...problems, `error.details of ${code} is ${JSON.stringify(details)}`];
};

const nothing = (details: JsonValues): boolean => Object.keys(details).length === 0;

/** What each code adds to its error; a code that is not here adds nothing. */
const DETAILS: Partial<Record<ErrorCode, (details: JsonValues) => boolean>> = {
  insufficient_scope: (details) =>
    keysOf(details) === "required_scope" && typeof details.required_scope === "string" && isScope(details.required_scope),
  plan_feature_unavailable: (details) =>
    keysOf(details) === "feature" && (details.feature === "reservations" || details.feature === "reporting"),
  invalid_transition: (details) => keysOf(details) === "from,to" && typeof details.from === "string" && typeof details.to === "string",
  cursor_expired: (details) => keysOf(details) === "latest" && typeof details.latest === "string",
  validation_failed: (details) => !nothing(details) && Object.values(details).every(areSentences),
};

const areSentences = (value: JsonValue): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((text) => typeof text === "string" && text.trim() !== "");

const isObject = (value: JsonValue | undefined): value is JsonValues =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const keysOf = (value: JsonValues): string => Object.keys(value).sort().join(",");
