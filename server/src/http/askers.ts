/** Says of every request whose turns it takes, before anything is asked of the database. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { type Asker, newAsker, runAs } from "#db/asker.ts";
import { sourceOf } from "#lib/network-source.ts";
import type { Visitor } from "./gate.ts";
import { peekHanded } from "./handed.ts";

declare module "fastify" {
  interface FastifyRequest {
    asker: Asker;
  }
}

type Recall = (request: FastifyRequest) => Visitor | null;

/** Runs what a request sets off as that request's. */
export type AskAs = (request: FastifyRequest, work: () => void) => void;

/**
 * A token that was seen before tells its venue, which is enough to choose a queue. Before that, requests of one address wait in one
 * queue, whatever token or cookie they bring: both could be made up, and each would have a queue of its own.
 */
const askerOf = (request: FastifyRequest, recall: Recall): Asker => {
  const visitor = peekHanded()?.visitor ?? recall(request);
  return visitor ? newAsker(`venue ${visitor.tenant.id}`, visitor.tenant.id) : newAsker(`address ${sourceOf(request.ip).host}`, null);
};

export const addAskers = (app: FastifyInstance, recall: Recall): AskAs => {
  const askAs: AskAs = (request, work) => {
    request.asker = askerOf(request, recall);
    runAs(request.asker, work);
  };
  app.decorateRequest("asker", null as unknown as Asker);
  app.addHook("onRequest", (request, _reply, done) => askAs(request, done));
  // Once a body is read, the work goes on from an event of the socket, which does not carry the asker.
  app.addHook("preValidation", (request, _reply, done) => {
    request.asker.venue ??= request.known?.tenant.id ?? null;
    runAs(request.asker, done);
  });
  app.addHook("onRequestAbort", (request, done) => {
    request.asker.isGone = true;
    done();
  });
  return askAs;
};
