/** Says of every request whose turns it takes, before anything is asked of the database. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Asker, newAsker, runAs } from "#db/asker.ts";
import { sourceOf } from "#lib/network-source.ts";
import { cookieOf } from "./console-calls.ts";
import type { Visitor } from "./gate.ts";
import { peekHanded } from "./handed.ts";

declare module "fastify" {
  interface FastifyRequest {
    asker: Asker;
  }
}

/**
 * A token that was seen before tells its venue, which is enough to choose a queue. Before that, requests of one address or of one
 * session wait in one queue.
 */
export const addAskers = (app: FastifyInstance, recall: (request: FastifyRequest) => Visitor | null): void => {
  const askerOf = (request: FastifyRequest): Asker => {
    const visitor = peekHanded()?.visitor ?? recall(request);
    if (visitor) return newAsker(`venue ${visitor.tenant.id}`, visitor.tenant.id);
    const cookie = cookieOf(request);
    return newAsker(cookie === null ? `address ${sourceOf(request.ip).host}` : `session ${cookie}`, null);
  };
  app.decorateRequest("asker", null as unknown as Asker);
  app.addHook("onRequest", (request, _reply, done) => {
    request.asker = askerOf(request);
    runAs(request.asker, done);
  });
  // What follows a body is set off by the socket it came over, and not by what came before.
  app.addHook("preValidation", (request, _reply, done) => {
    request.asker.venue ??= request.known?.tenant.id ?? null;
    runAs(request.asker, done);
  });
  app.addHook("onRequestAbort", (request, done) => {
    request.asker.isGone = true;
    done();
  });
};
