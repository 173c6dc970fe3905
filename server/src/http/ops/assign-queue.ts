/** Assigns each request to a queue for database connections, before its first statement. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { newQueueScope, type QueueScope, runInQueueScope } from "#db/queue-scope.ts";
import { sourceOf } from "#lib/network-source.ts";
import type { TokenAuthenticator } from "../api/principal-cache.ts";

declare module "fastify" {
  interface FastifyRequest {
    queueScope: QueueScope;
  }
}

type GetCached = TokenAuthenticator["getCached"];

/** Runs the work in the request's queue scope. */
export type RunInQueue = (request: FastifyRequest, work: () => void) => void;

/**
 * A cached token names its venue, which is enough to choose a queue. Other requests share one queue per address: a token or cookie may be
 * forged, and each forged one would get a queue.
 */
const queueScopeOf = (request: FastifyRequest, getCached: GetCached): QueueScope => {
  const principal = request.auth.forwarded?.principal ?? getCached(request);
  return principal
    ? newQueueScope(`venue ${principal.tenant.id}`, principal.tenant.id)
    : newQueueScope(`address ${sourceOf(request.ip).host}`, null);
};

export const addQueueAssignment = (app: FastifyInstance, getCached: GetCached): RunInQueue => {
  const runInQueue: RunInQueue = (request, work) => {
    request.queueScope = queueScopeOf(request, getCached);
    runInQueueScope(request.queueScope, work);
  };
  app.decorateRequest("queueScope", null as unknown as QueueScope);
  app.addHook("onRequest", (request, _reply, done) => runInQueue(request, done));
  // After a body, the work continues from a socket event, which does not carry the queue scope.
  app.addHook("preValidation", (request, _reply, done) => {
    request.queueScope.venue ??= request.auth.principal?.tenant.id ?? null;
    runInQueueScope(request.queueScope, done);
  });
  app.addHook("onRequestAbort", (request, done) => {
    request.queueScope.isCancelled = true;
    done();
  });
  return runInQueue;
};
