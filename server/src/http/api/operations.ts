/**
 * Registers the contract's operations. Each request passes these steps (open point D27):
 * authenticate → rate limit → plan, scope, feature, suspension → idempotency → 404 → 422 → the operation.
 */
import { keepsAnswers, type Operation, writesNothing } from "@comanda/contract/operation.ts";
import { API_PREFIX, type ApiOperationId, apiOperationEntries, type apiOperations } from "@comanda/contract/operations.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TObject, Type } from "typebox";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError } from "#lib/errors.ts";
import type { TokenAccess } from "#lib/principal.ts";
import { type RecordedError, recordError } from "../errors.ts";
import { type ApiAnswer, envelopePieces, envelopeText, type Result, sendAnswer, writeHeaders } from "../reply.ts";
import { rootUrlOf } from "../request-origin.ts";
import type { AnswerFaults } from "./answer-faults.ts";
import { requirePrincipal } from "./auth-state.ts";
import { type Authentication, authenticatedAs } from "./authentication.ts";
import { type BodyObject, parseBody } from "./body.ts";
import { type Claim, fingerprintOf, readKey } from "./idempotency.ts";
import { absoluteLinks, hasPages } from "./pagination.ts";
import { type PathParams, paramsReader, routePath } from "./path-matching.ts";
import { type Run, type RunningOperation, runRead, runWrite } from "./run-operation.ts";
import { IGNORED_HEADER, ignoredIn } from "./undeclared-fields.ts";
import { bodyReader, queryReader } from "./validate.ts";
import { type ReadPage, type WaitingCalls, wantsStream } from "./waiting-calls.ts";

type OperationOf<I extends ApiOperationId> = (typeof apiOperations)[I];
type BodyOf<O> = O extends { body: infer B extends TObject } ? Static<B> : undefined;
type QueryOf<O> = O extends { query: infer Q extends TObject } ? Static<Q> : undefined;

/**
 * `body` and `query` are functions because a missing resource is reported before an invalid field (404 before 422): a handler looks its
 * resource up first and then asks for its input, which throws if it is invalid.
 */
export type Input<I extends ApiOperationId> = {
  params: PathParams;
  query(): QueryOf<OperationOf<I>>;
  body(): BodyOf<OperationOf<I>>;
  /** The token as it is checked beside the read, so a changed one is never shown as it was. */
  access(): TokenAccess;
};

export type Handler<I extends ApiOperationId> = (ctx: Ctx, input: Input<I>) => Promise<Result>;
export type Handlers = { [I in ApiOperationId]: Handler<I> };

type AnyHandler = (ctx: Ctx, input: { params: PathParams; query(): unknown; body(): unknown; access(): TokenAccess }) => Promise<Result>;

type Registration = { deps: Deps; authentication: Authentication; waitingCalls: WaitingCalls; faults: AnswerFaults };

type Registered = { id: ApiOperationId; operation: Operation; handler: AnyHandler };

export const registerOperations = (api: FastifyInstance, registration: Registration, handlers: Handlers): void => {
  for (const id of Object.keys(handlers))
    if (!apiOperationEntries.some(([known]) => known === id)) throw new Error(`The handler ${id} has no operation in the contract`);
  for (const [id, operation] of apiOperationEntries) {
    const handler = handlers[id] as AnyHandler | undefined;
    if (!handler) throw new Error(`The operation ${id} has no handler`);
    if (operation.waits) registerWaitingOperation(api, registration, { id, operation: { ...operation, waits: operation.waits }, handler });
    else registerOperation(api, registration, { id, operation, handler });
  }
};

const registerOperation = (api: FastifyInstance, registration: Registration, { id, operation, handler }: Registered): void => {
  const readParams = paramsReader(operation);
  const readBody = operation.body && bodyReader(operation.body);
  const readQueryString = operation.query && queryReader(operation.query);
  api.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { operation },
    handler: async (request, reply) => {
      // The body is parsed before the first statement: a transaction must not stay open while a large body is parsed.
      const parsed = attempt(() => (readBody ? parseBody(request.body as Buffer | undefined, request.headers) : {}));
      const body = attempt(() => readBody?.(parsed(), requirePrincipal(request).tenant.currency));
      const query = () => readQueryString?.(searchOf(request));
      const call: RunningOperation = { ...registration, request, reply };
      const access = () => accessOf(request);
      const run: Run = async (ctx) => answerOf(call, operation, await handler(ctx, { params: readParams(request), query, body, access }));
      const claim = attempt(() => (keepsAnswers(operation) ? readClaim(request, operation, parsed) : null));
      const answering = (): Promise<ApiAnswer> =>
        writesNothing(operation) ? runRead(call, run) : runWrite(call, { operation, claim, run });
      const faulty = operation.onlyInSandbox
        ? answering()
        : registration.faults.answerWithFault({ request, reply, operationId: id }, answering);
      const answer = await faulty.finally(() => nameIgnored(request, reply, parsed));
      // An error that is stored under an idempotency key is returned as an answer. The request log has to know its code.
      if (answer.status >= 400) recordError(request, reply, storedError(answer));
      return sendAnswer(request, reply, answer);
    },
  });
};

type WaitingOperation = Operation & { waits: NonNullable<Operation["waits"]> };

/** A read that may wait for what is not there yet. */
const registerWaitingOperation = (
  api: FastifyInstance,
  { deps, authentication, waitingCalls, faults }: Registration,
  { id, operation, handler }: Registered & { operation: WaitingOperation },
): void => {
  const { waits: waitsFor } = operation;
  const readParams = paramsReader(operation);
  const readQueryString = queryReader(operation.query ?? Type.Object({}));
  /** What sends the answer: a fault may close the connection before. */
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<() => FastifyReply> => {
    const call: RunningOperation = { deps, authentication, request, reply };
    const given = attempt(() => readQueryString(searchOf(request)) as { wait?: number });
    const access = () => accessOf(request);
    const read: ReadPage = (after) => {
      const query = () => ({ ...given(), ...(after === null ? {} : { after }) });
      const input = { params: readParams(request), query, body: () => undefined, access };
      const reading = runRead(call, (ctx) => handler(ctx, input));
      return reading.finally(() => reply.raw.headersSent || nameIgnored(request, reply, () => ({})));
    };
    const waitingCall = { request, reply, read, waitsFor };
    if (waitsFor === "events" && wantsStream(request)) {
      const streaming = await waitingCalls.stream(waitingCall);
      return () => streaming;
    }
    const waitMs = request.method === "HEAD" ? 0 : (valueOr(given, {}).wait ?? 0) * 1000;
    const answer = answerOf(call, operation, await waitingCalls.waitForPage(waitingCall, waitMs));
    return () => sendAnswer(request, reply, answer);
  };
  api.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { operation },
    handler: async (request, reply) => {
      const answering = () => handle(request, reply);
      const send = await (operation.onlyInSandbox ? answering() : faults.answerWithFault({ request, reply, operationId: id }, answering));
      return send();
    },
  });
};

const accessOf = (request: FastifyRequest): TokenAccess => {
  const { principal, quota } = authenticatedAs(request);
  return { ...principal, ratePerMinute: quota.limit };
};

const storedError = ({ body, reasons }: ApiAnswer): RecordedError => {
  const { error } = JSON.parse(body) as { error: Omit<RecordedError, "reasons"> };
  return { ...error, reasons: reasons === null ? [] : JSON.parse(reasons) };
};

/** Runs the work at once. Its error is thrown when the result is asked for. */
const attempt = <T>(work: () => T): (() => T) => {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

/**
 * Every answer of an operation names the ignored members, errors included. In a live restaurant only parameters of the query are named. It
 * is set last, because a cached token may turn out to have ended.
 */
const nameIgnored = (request: FastifyRequest, reply: FastifyReply, parsed: () => BodyObject): void => {
  const { operation } = request.routeOptions.config;
  const kind = request.auth.principal?.tenant.kind;
  if (kind === undefined || !operation || (kind === "live" && !request.url.includes("?"))) return;
  const ignored = ignoredIn(operation, { search: searchOf(request), body: kind === "sandbox" ? valueOr(parsed, {}) : {} });
  if (ignored !== null) writeHeaders(reply, { [IGNORED_HEADER]: ignored });
};

/** The fallback when the value throws. */
const valueOr = <T>(value: () => T, fallback: T): T => {
  try {
    return value();
  } catch {
    return fallback;
  }
};

const searchOf = (request: FastifyRequest): string => new URL(request.url, "http://x").search;

/** A body that cannot be parsed has no fingerprint: the request fails with 422 and does not use the key. */
const readClaim = (request: FastifyRequest, operation: Operation, parsed: () => BodyObject): Claim | null => {
  const key = readKey(request.raw.rawHeaders);
  if (key === null) return null;
  const path = new URL(request.url, "http://x").pathname.replace(/\/+$/, "").toLowerCase();
  try {
    return { key, fingerprint: fingerprintOf(operation.method, path, parsed()) };
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
};

const answerOf = ({ deps, request }: RunningOperation, operation: Operation, { data, meta, links, location }: Result): ApiAnswer => {
  const declared = Object.keys(operation.query?.properties ?? {});
  const absolute = hasPages(links) ? absoluteLinks(links, pageUrlOf(request, rootUrlOf(deps, request)), declared) : links;
  const pieces = envelopePieces({ data, meta, links: absolute });
  return {
    status: operation.success.status,
    ...(pieces === null ? { body: envelopeText({ data, meta, links: absolute }) } : { body: "", pieces }),
    location: location === undefined ? null : `${rootUrlOf(deps, request)}${API_PREFIX}${location}`,
    isReplay: false,
    reasons: null,
  };
};

/** The URL on our own origin; the host in the client's request line is ignored. */
const pageUrlOf = (request: FastifyRequest, origin: string): URL => {
  const { pathname, search } = new URL(request.url, "http://x");
  return new URL(pathname + search, origin);
};
