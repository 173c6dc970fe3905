/**
 * Limits the number of concurrent requests, waiting ones included. A request over the limit is rejected at once, which is cheap; accepted,
 * it would wait longer than its client does. If another venue has more requests waiting, the newest of those is rejected instead.
 *
 * A request
 * - takes a place before its authentication, or is rejected
 * - leaves it while its body arrives, and takes it again without a check
 * - leaves it when its answer is ready, or while it waits for changes
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { schedulerOf } from "#db/connection-scheduler.ts";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { recordError } from "../errors.ts";
import { uncountedHeaders } from "../rate-limit.ts";
import { errorBody, sendJson, writeHeaders } from "../reply.ts";

declare module "fastify" {
  interface FastifyRequest {
    hasPlace: boolean;
  }
}

const RETRY_SECONDS = "1";
/**
 * A rejection takes about 50 µs. Clients that retry at once could use all of the processor, so rejections over this rate are delayed.
 */
const REFUSALS_PER_SECOND = 3000;
const PACE_MS = 10;

export type ConcurrencyLimit = {
  /** Applies the limit to the routes of this scope. */
  limit(scope: FastifyInstance): void;
  /** A call that begins to wait leaves its place: it costs no work until it has something to read. */
  leave(request: FastifyRequest): void;
  sendOverloaded(request: FastifyRequest, reply: FastifyReply): void;
};

export const createConcurrencyLimit = ({ config, pool }: Pick<Deps, "config" | "pool">): ConcurrencyLimit => {
  const error = apiError("service_unavailable");
  const body = errorBody(error);
  const headers = { "Retry-After": RETRY_SECONDS, ...uncountedHeaders(config) };
  const throttle = createThrottle();
  let taken = 0;
  const take = (request: FastifyRequest): void => {
    if (!request.hasPlace) taken++;
    request.hasPlace = true;
  };
  const leave = (request: FastifyRequest): void => {
    if (request.hasPlace) taken--;
    request.hasPlace = false;
  };
  const sendOverloaded: ConcurrencyLimit["sendOverloaded"] = (request, reply) => {
    recordError(request, reply, error);
    writeHeaders(reply, headers);
    sendJson(reply, error.status, body);
  };
  const limit = (scope: FastifyInstance): void => {
    scope.decorateRequest("hasPlace", false);
    scope.addHook("onRequest", (request, reply, done) => {
      // A tool call is counted with its MCP message.
      if (request.auth.forwarded !== null) return done();
      if (taken >= config.maxConcurrentRequests && !schedulerOf(pool).makeRoom(request.queueScope))
        return throttle(() => sendOverloaded(request, reply));
      take(request);
      done();
    });
    // A body may take ten seconds to arrive, and costs no work meanwhile.
    scope.addHook("preParsing", (request, _reply, payload, done) => {
      leave(request);
      done(null, payload);
    });
    // The limit is not checked again: an accepted request is not rejected halfway, so the limit may be exceeded by a few.
    scope.addHook("preValidation", (request, _reply, done) => {
      if (request.auth.forwarded === null) take(request);
      done();
    });
    // Freed when the answer is ready. A disconnected client never reads its answer, and a disconnect does not stop work that has started.
    scope.addHook("onSend", (request, _reply, payload, done) => {
      leave(request);
      done(null, payload);
    });
  };
  return { limit, leave, sendOverloaded };
};

/** Runs the action at once, or as soon as the rate allows. */
const createThrottle = (): ((act: () => void) => void) => {
  const perStep = (REFUSALS_PER_SECOND * PACE_MS) / 1000;
  const waiting: (() => void)[] = [];
  let left = perStep;
  let timer: NodeJS.Timeout | null = null;
  const step = (): void => {
    left = perStep;
    for (; left > 0 && waiting.length > 0; left--) waiting.shift()?.();
    if (waiting.length > 0 || left < perStep) return;
    if (timer) clearInterval(timer);
    timer = null;
  };
  return (act) => {
    timer ??= setInterval(step, PACE_MS).unref();
    if (left === 0) return void waiting.push(act);
    left--;
    act();
  };
};
