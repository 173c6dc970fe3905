/**
 * How many requests there may be at once, those that wait for their turn included. One that comes when all places are taken is refused
 * at once, which costs next to nothing: were it let in, it would wait longer than its client does. It gets a place all the same if another
 * venue has more requests waiting: the newest of those is refused instead.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { lenderOf } from "#db/connections.ts";
import type { Deps } from "#deps.ts";
import { fail } from "#lib/errors.ts";
import { noteRefusal } from "./errors.ts";
import { peekHanded } from "./handed.ts";
import { errorBody, sendJson, writeHeaders } from "./reply.ts";

declare module "fastify" {
  interface FastifyRequest {
    hasPlace: boolean;
  }
}

const RETRY_SECONDS = "1";
/**
 * Refusing takes time as well, about 50 µs. Clients that ask again at once instead of waiting would take all there is, so what is beyond
 * this number waits for its refusal.
 */
const REFUSALS_PER_SECOND = 3000;
const PACE_MS = 10;

export type Places = {
  /** The requests of this scope need a place. */
  guard(scope: FastifyInstance): void;
  refuse(request: FastifyRequest, reply: FastifyReply): void;
};

export const createPlaces = ({ config, pool }: Pick<Deps, "config" | "pool">): Places => {
  const refusal = fail("service_unavailable");
  const body = errorBody(refusal);
  // The request was not counted, so the rate headers show the limit of an address.
  const rate = String(config.unauthenticatedRatePerMinute);
  const headers = { "Retry-After": RETRY_SECONDS, "X-RateLimit-Limit": rate, "X-RateLimit-Remaining": rate };
  const inPace = createPace();
  let taken = 0;
  const take = (request: FastifyRequest): void => {
    if (!request.hasPlace) taken++;
    request.hasPlace = true;
  };
  const leave = (request: FastifyRequest): void => {
    if (request.hasPlace) taken--;
    request.hasPlace = false;
  };
  const refuse: Places["refuse"] = (request, reply) => {
    noteRefusal(request, refusal);
    writeHeaders(reply, headers);
    sendJson(reply, refusal.status, body);
  };
  const guard = (scope: FastifyInstance): void => {
    scope.decorateRequest("hasPlace", false);
    scope.addHook("onRequest", (request, reply, done) => {
      // A tool call has the place of the message that it came with.
      if (peekHanded() !== null) return done();
      if (taken >= config.requestsAtOnceMax && !lenderOf(pool).makeRoom(request.asker)) return inPace(() => refuse(request, reply));
      take(request);
      done();
    });
    // A body may take ten seconds to arrive, and nobody works on it meanwhile.
    scope.addHook("preParsing", (request, _reply, payload, done) => {
      leave(request);
      done(null, payload);
    });
    // Not asked again whether one is free: who was let in is not turned away half way, so there may be a few more.
    scope.addHook("preValidation", (request, _reply, done) => {
      if (request.handed === null) take(request);
      done();
    });
    // Not when the answer has been read: a client who has hung up never reads it. Nor when they hang up: what has begun goes on.
    scope.addHook("onSend", (request, _reply, payload, done) => {
      leave(request);
      done(null, payload);
    });
  };
  return { guard, refuse };
};

/** Runs what it is given at once, or as soon as the pace allows. */
const createPace = (): ((act: () => void) => void) => {
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
