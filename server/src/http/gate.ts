/** The first gates, before a body is read: who is it, how often, and is the way open (open point D27). */
import type { Operation } from "@comanda/contract/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import type { Actor, Tenant } from "#lib/context.ts";
import { fail, type Refusal } from "#lib/errors.ts";
import { sendRefusal } from "./errors.ts";
import { quotaHeaders, type RateLimiter } from "./rate-limit.ts";
import { writeHeaders } from "./reply.ts";

export type Visitor = {
  tenant: Tenant;
  actor: Actor;
  tokenId: number;
  /** Requests per minute of this token or plan; null means the service's default. */
  ratePerMinute: number | null;
  refusalOf(operation: Operation | null, now: Date): Refusal | null;
};

declare module "fastify" {
  interface FastifyRequest {
    visitor: Visitor;
    /** Whose token it is, from the moment that is known: also of a request that a later gate refuses. */
    known: Visitor | null;
    /** Why it was refused, for the log of requests. */
    refusedWith: string | null;
    isCounted: boolean;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export type Authenticate = (request: FastifyRequest, now: Date) => Promise<Visitor | null>;

export type Gate = {
  pass(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Even an answer that failed before its token was known carries the rate headers (§8). */
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
};

export const createGate = ({ clock, config }: Deps, limiter: RateLimiter, authenticate: Authenticate): Gate => {
  const count = async (request: FastifyRequest, reply: FastifyReply, who: string, limit: number): Promise<void> => {
    const quota = await limiter.count(who, limit);
    request.isCounted = true;
    writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
    if (quota.isOver) throw fail("rate_limited");
  };
  // Guessing a token is hopeless; this bucket only keeps a broken client from flooding, so it is wide (D40).
  const countStranger = (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
    count(request, reply, `address:${request.ip}`, config.unauthenticatedRatePerMinute);
  return {
    async pass(request, reply) {
      const now = clock.now();
      const visitor = await authenticate(request, now);
      if (visitor === null) {
        await countStranger(request, reply);
        throw fail("unauthenticated", {}, { "WWW-Authenticate": "Bearer" });
      }
      request.known = visitor;
      if (visitor.tenant.kind === "sandbox") writeHeaders(reply, { "Service-Sandbox": "true" });
      await count(request, reply, visitor.actor.caller, visitor.ratePerMinute ?? config.ratePerMinute);
      const refusal = visitor.refusalOf(request.routeOptions.config.operation ?? null, now);
      if (refusal) throw refusal;
      request.visitor = visitor;
    },
    async refuse(request, reply, error) {
      let answer = error;
      if (!request.isCounted)
        await countStranger(request, reply).catch((refusal: unknown) => {
          answer = refusal;
        });
      return sendRefusal(request, reply, answer);
    },
  };
};
