/**
 * How many requests are worked on at once. Whoever comes when all places are taken is told so at once, which costs next to
 * nothing: were they let in, each would wait longer than its client does, and the work would be for nobody.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { fail } from "#lib/errors.ts";
import { errorBody, sendJson, writeHeaders } from "./reply.ts";

declare module "fastify" {
  interface FastifyRequest {
    hasPlace: boolean;
  }
}

const RETRY_SECONDS = "1";

export const addPlaces = (api: FastifyInstance, { config }: Pick<Deps, "config">): void => {
  const refusal = fail("service_unavailable");
  const body = errorBody(refusal);
  // Nobody has counted it, so it shows what anybody has.
  const rate = String(config.unauthenticatedRatePerMinute);
  const headers = { "Retry-After": RETRY_SECONDS, "X-RateLimit-Limit": rate, "X-RateLimit-Remaining": rate };
  let taken = 0;
  const take = (request: FastifyRequest): void => {
    if (!request.hasPlace) taken++;
    request.hasPlace = true;
  };
  const leave = (request: FastifyRequest): void => {
    if (request.hasPlace) taken--;
    request.hasPlace = false;
  };
  api.decorateRequest("hasPlace", false);
  api.addHook("onRequest", (request, reply, done) => {
    if (taken < config.requestsAtOnceMax) {
      take(request);
      return done();
    }
    request.refusedWith = refusal.code;
    writeHeaders(reply, headers);
    sendJson(reply, refusal.status, body);
  });
  // A body may take ten seconds to arrive, and nobody works on it meanwhile.
  api.addHook("preParsing", (request, _reply, payload, done) => {
    leave(request);
    done(null, payload);
  });
  // Not asked again whether one is free: who was let in is not turned away half way, so there may be a few more.
  api.addHook("preValidation", (request, _reply, done) => {
    take(request);
    done();
  });
  // Not when the answer has been read: a client who has hung up never reads it. Nor when they hang up: the work goes on.
  api.addHook("onSend", (request, _reply, payload, done) => {
    leave(request);
    done(null, payload);
  });
};
