/**
 * Registers the contract's operations. Each request passes these steps (open point D27):
 * authenticate → rate limit → plan, scope, feature, suspension → idempotency → 404 → 422 → the operation.
 */
import type { Operation } from "@comanda/contract/operation.ts";
import { API_PREFIX, type OperationId, operationEntries, type operations } from "@comanda/contract/operations.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Static, type TObject, Type } from "typebox";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { ApiError } from "#lib/errors.ts";
import { recordError } from "../errors.ts";
import { type ApiAnswer, envelopeText, type Result, sendAnswer, writeHeaders } from "../reply.ts";
import { rootUrlOf } from "../root-url.ts";
import { routePath } from "../route-path.ts";
import type { Authentication } from "./authentication.ts";
import { type BodyObject, parseBody } from "./body.ts";
import { type EventFeed, type ReadEvents, wantsStream } from "./event-feed.ts";
import { type Claim, fingerprintOf, readKey } from "./idempotency.ts";
import { absoluteLinks, hasPages } from "./pagination.ts";
import { type PathParams, readParams } from "./paths.ts";
import { type Run, type RunningOperation, runRead, runWrite } from "./run-operation.ts";
import { IGNORED_HEADER, ignoredIn } from "./undeclared-fields.ts";
import { bodyReader, queryReader } from "./validate.ts";

type OperationOf<I extends OperationId> = (typeof operations)[I];
type BodyOf<O> = O extends { body: infer B extends TObject } ? Static<B> : undefined;
type QueryOf<O> = O extends { query: infer Q extends TObject } ? Static<Q> : undefined;

/**
 * `body` and `query` are functions because a missing resource is reported before an invalid field (404 before 422): a handler looks its
 * resource up first and then asks for its input, which throws if it is invalid.
 */
export type Input<I extends OperationId> = {
  params: PathParams;
  query(): QueryOf<OperationOf<I>>;
  body(): BodyOf<OperationOf<I>>;
};

export type Handler<I extends OperationId> = (ctx: Ctx, input: Input<I>) => Promise<Result>;
export type Handlers = { [I in OperationId]: Handler<I> };

type AnyHandler = (ctx: Ctx, input: { params: PathParams; query(): unknown; body(): unknown }) => Promise<Result>;

type Registration = { deps: Deps; authentication: Authentication; feed: EventFeed };

export const registerOperations = (api: FastifyInstance, registration: Registration, handlers: Handlers): void => {
  for (const id of Object.keys(handlers))
    if (!operationEntries.some(([known]) => known === id)) throw new Error(`The handler ${id} has no operation in the contract`);
  for (const [id, operation] of operationEntries) {
    const handler = handlers[id] as AnyHandler | undefined;
    if (!handler) throw new Error(`The operation ${id} has no handler`);
    const register = operation.waits ? registerWaitingOperation : registerOperation;
    register(api, registration, operation, handler);
  }
};

const registerOperation = (api: FastifyInstance, registration: Registration, operation: Operation, handler: AnyHandler): void => {
  const readBody = operation.body && bodyReader(operation.body);
  const readQueryString = operation.query && queryReader(operation.query);
  api.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { operation },
    handler: async (request, reply) => {
      // Before the first statement: a transaction must not stay open while a large body is parsed.
      const parsed = attempt(() => (readBody ? parseBody(request.body as Buffer | undefined, request.headers["content-type"]) : {}));
      const body = attempt(() => readBody?.(parsed()));
      const query = () => readQueryString?.(searchOf(request));
      const call: RunningOperation = { ...registration, request, reply };
      const run: Run = async (ctx) =>
        answerOf(call, operation, await handler(ctx, { params: readParams(request, operation), query, body }));
      const claim = attempt(() => (operation.method === "POST" ? readClaim(request, operation, parsed) : null));
      const answering = operation.method === "GET" ? runRead(call, run) : runWrite(call, { operation, claim, run });
      const answer = await answering.finally(() => nameIgnored(request, reply, parsed));
      // An error that is stored under an idempotency key is returned as an answer. The request log has to know its code.
      if (answer.status >= 400) recordError(request, (JSON.parse(answer.body) as { error: ApiError }).error);
      return sendAnswer(reply, answer);
    },
  });
};

/** A read that may wait for what is not there yet. */
const registerWaitingOperation = (api: FastifyInstance, registration: Registration, operation: Operation, handler: AnyHandler): void => {
  const { deps, authentication, feed } = registration;
  const readQueryString = queryReader(operation.query ?? Type.Object({}));
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const call: RunningOperation = { deps, authentication, request, reply };
    const given = attempt(() => readQueryString(searchOf(request)) as { wait?: number });
    const read: ReadEvents = (after) => {
      const query = () => ({ ...given(), ...(after === null ? {} : { after }) });
      const reading = runRead(call, (ctx) => handler(ctx, { params: readParams(request, operation), query, body: () => undefined }));
      return reading.finally(() => reply.raw.headersSent || nameIgnored(request, reply, () => ({})));
    };
    if (wantsStream(request)) return feed.stream({ request, reply, read });
    const waitMs = request.method === "HEAD" ? 0 : (valueOr(given, {}).wait ?? 0) * 1000;
    return sendAnswer(reply, answerOf(call, operation, await feed.waitForPage({ request, reply, read }, waitMs)));
  };
  api.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { operation },
    handler: handle,
  });
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

/** For every answer of a sandbox's operation, errors included. Set last, because a cached token may turn out to have ended. */
const nameIgnored = (request: FastifyRequest, reply: FastifyReply, parsed: () => BodyObject): void => {
  const { operation } = request.routeOptions.config;
  if (request.auth.principal?.tenant.kind !== "sandbox" || !operation) return;
  const ignored = ignoredIn(operation, { search: searchOf(request), body: valueOr(parsed, {}) });
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
  return {
    status: operation.success.status,
    body: envelopeText({ data, meta, links: absolute }),
    location: location === undefined ? null : `${rootUrlOf(deps, request)}${API_PREFIX}${location}`,
    isReplay: false,
  };
};

/** The URL on our own origin; the host in the client's request line is ignored. */
const pageUrlOf = (request: FastifyRequest, origin: string): URL => {
  const { pathname, search } = new URL(request.url, "http://x");
  return new URL(pathname + search, origin);
};
