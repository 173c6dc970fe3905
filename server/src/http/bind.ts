/**
 * The gate line, once for every operation, in the order of open point D27:
 * authenticate → rate limit → plan, scope, feature, suspension → idempotency → 404 → 422 → the operation.
 */

import { type Operation, PATH_PARAMETERS, pathParameters } from "@comanda/contract/operation.ts";
import { API_PREFIX, type OperationId, operationEntries, type operations } from "@comanda/contract/operations.ts";
import { UUID_PATTERN } from "@comanda/contract/shared.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Static, TObject } from "typebox";
import { enterVenue } from "#db/entrance.ts";
import { isContention, transaction } from "#db/pool.ts";
import type { Deps } from "#deps.ts";
import type { Ctx } from "#lib/context.ts";
import { fail, Refusal } from "#lib/errors.ts";
import { type JsonObject, parseBody } from "./body.ts";
import { cameFrom } from "./came-from.ts";
import { noteRefusal } from "./errors.ts";
import { type Claim, claimKey, fingerprintOf, inSavepoint, readKey, storeAnswer } from "./idempotency.ts";
import { IGNORED_HEADER, ignoredIn } from "./ignored.ts";
import { absoluteLinks, hasPages } from "./page.ts";
import { type Answer, errorBody, type Result, sendAnswer, writeHeaders } from "./reply.ts";
import { rootUrlOf } from "./root-url.ts";
import { routePath } from "./route-path.ts";
import { bodyReader, queryReader } from "./validate.ts";

type OperationOf<I extends OperationId> = (typeof operations)[I];
type BodyOf<O> = O extends { body: infer B extends TObject } ? Static<B> : undefined;
type QueryOf<O> = O extends { query: infer Q extends TObject } ? Static<Q> : undefined;
type Params = { id: number; uuid: string };

/**
 * `body` and `query` are functions because a missing resource must be told before a faulty field (404 before 422):
 * a handler looks its resource up first and then asks for the input. What is wrong with it is thrown at that moment.
 */
export type Input<I extends OperationId> = {
  params: Params;
  query(): QueryOf<OperationOf<I>>;
  body(): BodyOf<OperationOf<I>>;
};

export type Handler<I extends OperationId> = (ctx: Ctx, input: Input<I>) => Promise<Result>;
export type Handlers = { [I in OperationId]: Handler<I> };

type AnyHandler = (ctx: Ctx, input: { params: Params; query(): unknown; body(): unknown }) => Promise<Result>;

const ATTEMPTS_MAX = 3;
const UUID = new RegExp(UUID_PATTERN, "i");

export const bindOperations = (api: FastifyInstance, deps: Deps, handlers: Handlers): void => {
  for (const id of Object.keys(handlers))
    if (!operationEntries.some(([known]) => known === id)) throw new Error(`The handler ${id} has no operation in the contract`);
  for (const [id, operation] of operationEntries) {
    const handler = handlers[id] as AnyHandler | undefined;
    if (!handler) throw new Error(`The operation ${id} has no handler`);
    bindOne(api, deps, operation, handler);
  }
};

const bindOne = (api: FastifyInstance, deps: Deps, operation: Operation, handler: AnyHandler): void => {
  const readBody = operation.body && bodyReader(operation.body);
  const readQueryString = operation.query && queryReader(operation.query);
  const isWrite = operation.method !== "GET";
  api.route({
    method: operation.method,
    url: routePath(operation.path),
    config: { operation },
    handler: async (request, reply) => {
      // Before anything is asked of the database: no transaction waits while a large body is looked at.
      const parsed = settled(() => (readBody ? parseBody(request.body as Buffer | undefined, request.headers["content-type"]) : {}));
      const body = settled(() => readBody?.(parsed()));
      const run = (ctx: Ctx): Promise<Answer> =>
        answerOf(deps, request, operation, () =>
          handler(ctx, {
            params: readParams(request, operation),
            query: () => readQueryString?.(searchOf(request)),
            body,
          }),
        );
      const claim = settled(() => (operation.method === "POST" ? readClaim(request, operation, parsed) : null));
      const answer = await (isWrite ? write(deps, request, { operation, claim, run }) : read(deps, request, run)).finally(() =>
        nameIgnored(request, reply, parsed),
      );
      // A refusal that is stored under a key is an answer, now and when it is given again; the log knows it as a refusal.
      if (answer.status >= 400) noteRefusal(request, (JSON.parse(answer.body) as { error: Refusal }).error);
      return sendAnswer(reply, answer);
    },
  });
};

/** On every answer of a sandbox's operation, a refusal included. Afterwards, because a token that was recalled may turn out to have ended. */
const nameIgnored = (request: FastifyRequest, reply: FastifyReply, parsed: () => JsonObject): void => {
  const { operation } = request.routeOptions.config;
  if (request.known?.tenant.kind !== "sandbox" || !operation) return;
  const ignored = ignoredIn(operation, { search: searchOf(request), body: bodyOrNothing(parsed) });
  if (ignored !== null) writeHeaders(reply, { [IGNORED_HEADER]: ignored });
};

const bodyOrNothing = (parsed: () => JsonObject): JsonObject => {
  try {
    return parsed();
  } catch {
    return {};
  }
};

const searchOf = (request: FastifyRequest): string => new URL(request.url, "http://x").search;

/** Runs the work at once. What it throws is thrown when the result is asked for. */
const settled = <T>(work: () => T): (() => T) => {
  try {
    const value = work();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
};

const contextFor = (deps: Deps, request: FastifyRequest, db: Ctx["db"], now: Date): Ctx => ({
  tenant: request.visitor.tenant,
  actor: request.visitor.actor,
  now,
  db,
  ...cameFrom(request),
  cursorKey: deps.cursorKey,
});

/** For a visitor who is only recalled, the question who it is and what is read travel together; the read counts if the answer is the old one. */
const read = async (deps: Deps, request: FastifyRequest, run: (ctx: Ctx) => Promise<Answer>): Promise<Answer> => {
  const ask = () => run(contextFor(deps, request, deps.line.tenant(request.visitor.tenant.id), deps.clock.now()));
  if (request.confirm === null) return ask();
  const [isConfirmed, answer] = await Promise.allSettled([request.confirm(), ask()]);
  if (isConfirmed.status === "rejected") throw isConfirmed.reason;
  if (!isConfirmed.value) return ask();
  if (answer.status === "rejected") throw answer.reason;
  return answer.value;
};

/** `claim` throws what is wrong with the key. */
type Write = { operation: Operation; claim(): Claim | null; run(ctx: Ctx): Promise<Answer> };

const write = async (deps: Deps, request: FastifyRequest, wanted: Write): Promise<Answer> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await writeOnce(deps, request, wanted);
    } catch (error) {
      if (!isContention(error) || attempt === ATTEMPTS_MAX) throw error;
      if (error instanceof AccessChanged) await request.readmit?.(error.at);
    }
  }
};

/** The visitor whom the gate let in is another now, or none. Nothing was written. */
class AccessChanged extends Error {
  // Of PostgreSQL's "try again": a caller whose access keeps changing is answered 503.
  readonly code = "40001";
  readonly at: Date;
  constructor(at: Date) {
    super("The caller's access changed while the request was on its way");
    this.at = at;
  }
}

/** The access check and the claim travel with the begin; the change itself is of the moment when the transaction had begun. */
const writeOnce = (deps: Deps, request: FastifyRequest, { operation, claim, run }: Write): Promise<Answer> => {
  const { visitor } = request;
  return transaction(
    deps.pool,
    visitor.tenant.id,
    async ({ db, startedAt }) => {
      enterVenue(db, visitor.tenant);
      const access = visitor.isUnchanged(db);
      const claimed = claimWith(contextFor(deps, request, db, deps.clock.now()), claim);
      // A refused claim is reported after refused access (D27).
      claimed.catch(() => undefined);
      const [isUnchanged, moment] = await Promise.all([access, startedAt]);
      const now = deps.clock.ofChange(moment);
      if (!isUnchanged || visitor.isExpired(now) || visitor.refusalOf(operation, now)) throw new AccessChanged(now);
      const ctx = contextFor(deps, request, db, now);
      const { held, earlier } = await claimed;
      return earlier ?? (held ? once(ctx, held, run) : run(ctx));
    },
    visitor.locks,
  );
};

const claimWith = async (ctx: Ctx, claim: Write["claim"]): Promise<{ held: Claim | null; earlier: Answer | null }> => {
  const held = claim();
  return { held, earlier: held && (await claimKey(ctx, held)) };
};

/** A body that cannot be parsed has no fingerprint: such a request runs into its 422 without touching the key. */
const readClaim = (request: FastifyRequest, operation: Operation, parsed: () => JsonObject): Claim | null => {
  const key = readKey(request.raw.rawHeaders);
  if (key === null) return null;
  const path = new URL(request.url, "http://x").pathname.replace(/\/+$/, "").toLowerCase();
  try {
    return { key, fingerprint: fingerprintOf(operation.method, path, parsed()) };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
};

/** The effect and the stored answer are one commit; a refusal that belongs to the operation is an answer too (D45). */
const once = async (ctx: Ctx, claim: Claim, run: (ctx: Ctx) => Promise<Answer>): Promise<Answer> => {
  const answer = await inSavepoint(ctx.db, () => run(ctx)).catch((error: unknown) => {
    if (error instanceof Refusal && (error.code === "validation_failed" || error.code === "invalid_transition"))
      return { status: error.status, body: errorBody(error), location: null, isReplay: false };
    throw error;
  });
  storeAnswer(ctx, claim, answer);
  return answer;
};

const answerOf = async (deps: Deps, request: FastifyRequest, operation: Operation, handle: () => Promise<Result>): Promise<Answer> => {
  const { data, meta, links: cursors, location } = await handle();
  const declared = Object.keys(operation.query?.properties ?? {});
  const links = hasPages(cursors) ? absoluteLinks(cursors, pageUrlOf(request, rootUrlOf(deps, request)), declared) : cursors;
  return {
    status: operation.success.status,
    body: JSON.stringify({ data, meta, links }),
    location: location === undefined ? null : `${rootUrlOf(deps, request)}${API_PREFIX}${location}`,
    isReplay: false,
  };
};

/** On our own origin, whatever host a client wrote into its request line. */
const pageUrlOf = (request: FastifyRequest, origin: string): URL => {
  const { pathname, search } = new URL(request.url, "http://x");
  return new URL(pathname + search, origin);
};

/** Anything but a well-formed id names no resource (D18). */
const readParams = (request: FastifyRequest, operation: Operation): Params => {
  const [name] = pathParameters(operation.path);
  const text = name === undefined ? "" : ((request.params as Record<string, string>)[name] ?? "");
  if (name === undefined) return { id: 0, uuid: "" };
  if (PATH_PARAMETERS[name] === "uuid") {
    if (!UUID.test(text)) throw fail("not_found");
    return { id: 0, uuid: text.toLowerCase() };
  }
  const id = /^[1-9][0-9]{0,15}$/.test(text) ? Number(text) : 0;
  if (!Number.isSafeInteger(id) || id === 0) throw fail("not_found");
  return { id, uuid: "" };
};

const pathOf = (request: FastifyRequest): string => new URL(request.url, "http://x").pathname.slice(API_PREFIX.length).replace(/\/+$/, "");

/** As much of an operation's path as this one follows: the whole where it is that path, null where not even its beginning. */
const knownPart = (template: string, path: string): string | null => {
  const [wanted, given] = [template.split("/"), path.split("/")];
  const strayAt = wanted.findIndex((part, index) => (part.startsWith("{") ? !given[index] : part !== given[index]));
  const known = strayAt === -1 ? wanted : wanted.slice(0, strayAt);
  if (known.length === given.length && strayAt === -1) return template;
  return known.length > 1 ? `${known.join("/")}/…` : null;
};

/**
 * What a request asked for, in words of the contract alone: a path that somebody wrote may hold whatever they took for an id.
 * Of an unknown one the part that is known; empty when there is none.
 */
export const routeOf = (request: FastifyRequest): string => {
  const { operation } = request.routeOptions.config;
  if (operation) return operation.path;
  const path = pathOf(request);
  const known = operationEntries.map(([, { path: template }]) => ({ template, part: knownPart(template, path) ?? "" }));
  const depthOf = (part: string): number => part.split("/").length;
  return (
    known.find(({ template, part }) => part === template)?.template ??
    known.reduce((deepest, { part }) => (depthOf(part) > depthOf(deepest) ? part : deepest), "")
  );
};

/** Under the prefix, after the gates: an unknown path is 404, a known one with another method 405 (D16). */
export const unknownRefusal = (request: FastifyRequest, reply: FastifyReply): Refusal => {
  const path = pathOf(request);
  const methods = operationEntries
    .filter(([, operation]) => knownPart(operation.path, path) === operation.path)
    .flatMap(([, { method }]): string[] => (method === "GET" ? ["GET", "HEAD"] : [method]));
  // A method that the path does answer to got here because the id in it is too long to be one.
  if (methods.length === 0 || methods.includes(request.method)) return fail("not_found");
  writeHeaders(reply, { Allow: [...new Set(methods)].join(", ") });
  return fail("method_not_allowed");
};

export const refuseUnknown = (request: FastifyRequest, reply: FastifyReply): never => {
  throw unknownRefusal(request, reply);
};
