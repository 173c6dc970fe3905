/** The first gates, before a body is read: who is it, how often, and is the way open (open point D27). */
import type { Operation } from "@comanda/contract/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import type { Actor, Tenant } from "#lib/context.ts";
import { fail, type Refusal } from "#lib/errors.ts";
import { sendRefusal } from "./errors.ts";
import { type Handed, takeHanded } from "./handed.ts";
import { type Quota, quotaHeaders, type RateLimiter } from "./rate-limit.ts";
import { writeHeaders } from "./reply.ts";

export type Visitor = {
  tenant: Tenant;
  actor: Actor;
  tokenId: number;
  /** Requests per minute of this token or plan; null means the service's default. */
  ratePerMinute: number | null;
  refusalOf(operation: Operation | null, now: Date): Refusal | null;
  /** Whether token and plan include the operation at all, however the venue stands at the moment. */
  includes(operation: Operation): boolean;
};

/** Somebody whose token is good, and what is left after this request was counted. */
export type Admitted = { readonly visitor: Visitor; readonly quota: Quota };

declare module "fastify" {
  interface FastifyRequest {
    visitor: Visitor;
    /** Whose token it is, from the moment that is known: also of a request that a later gate refuses. */
    known: Visitor | null;
    /** Why it was refused, for the log of requests. */
    refusedWith: string | null;
    isCounted: boolean;
    /**
     * Set while the visitor is only recalled: asks the database, in one trip with what is read meanwhile. True when all is
     * as it was; false when the visitor is another now, so what was read for the old one is void; a refusal is thrown.
     */
    confirm: (() => Promise<boolean>) | null;
    /** What the agents' door handed over; null for everybody who came by themselves. */
    handed: Handed | null;
  }
  interface FastifyContextConfig {
    operation?: Operation;
  }
}

export type Authenticator = {
  /** Asks the database. The very same visitor as before when nothing about the token or its venue has changed. */
  authenticate(request: FastifyRequest, now: Date): Promise<Visitor | null>;
  /** Whom these very characters belonged to when they were last looked up. Nothing may be answered on the strength of it. */
  recall(request: FastifyRequest): Visitor | null;
};

export type Gate = {
  /** Who is it, and how often: counted, but not yet refused for it. */
  admit(request: FastifyRequest, reply: FastifyReply, challenge?: string): Promise<Admitted>;
  pass(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Even an answer that failed before its token was known carries the rate headers (§8). */
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply>;
};

const createReception = ({ clock, config }: Deps, limiter: RateLimiter) => {
  const count = async (request: FastifyRequest, who: string, limit: number): Promise<Quota> => {
    const quota = await limiter.count(who, limit);
    request.isCounted = true;
    return quota;
  };
  const showQuota = (reply: FastifyReply, quota: Quota): void => writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
  // Guessing a token is hopeless; this bucket only keeps a broken client from flooding, so it is wide (D40).
  const countStranger = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const quota = await count(request, `address:${request.ip}`, config.unauthenticatedRatePerMinute);
    showQuota(reply, quota);
    if (quota.isOver) throw fail("rate_limited");
  };
  /** Refuses a stranger, and counts everybody; `letIn` refuses the others. */
  const receive = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | null,
    challenge = "Bearer",
  ): Promise<Admitted> => {
    request.known = visitor;
    if (visitor === null) {
      reply.raw.removeHeader("Service-Sandbox");
      await countStranger(request, reply);
      throw fail("unauthenticated", {}, { "WWW-Authenticate": challenge });
    }
    if (visitor.tenant.kind === "sandbox") writeHeaders(reply, { "Service-Sandbox": "true" });
    const quota = await count(request, visitor.actor.caller, visitor.ratePerMinute ?? config.ratePerMinute);
    showQuota(reply, quota);
    return { visitor, quota };
  };
  /** The token is somebody else's now. Counted again only if caller or rate differ; the old rate headers go then. */
  const receiveInstead = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | null,
    { visitor: old, quota }: Admitted,
  ) => {
    if (visitor?.actor.caller === old.actor.caller && visitor.ratePerMinute === old.ratePerMinute) {
      request.known = visitor;
      return { visitor, quota };
    }
    for (const name of Object.keys(quotaHeaders(quota, 0))) reply.raw.removeHeader(name);
    return receive(request, reply, visitor);
  };
  return { showQuota, countStranger, receive, receiveInstead };
};

const letIn = (request: FastifyRequest, { visitor, quota }: Admitted, now: Date): void => {
  if (quota.isOver) throw fail("rate_limited");
  const refusal = visitor.refusalOf(request.routeOptions.config.operation ?? null, now);
  if (refusal) throw refusal;
  request.visitor = visitor;
};

export const createGate = (deps: Deps, limiter: RateLimiter, { authenticate, recall }: Authenticator): Gate => {
  const { showQuota, countStranger, receive, receiveInstead } = createReception(deps, limiter);
  /** Counts and lets in the visitor who is remembered. A refusal stands only if the database confirms that visitor. */
  const passRecalled = async (request: FastifyRequest, reply: FastifyReply, recalled: Visitor, now: Date): Promise<void> => {
    const before = await receive(request, reply, recalled);
    const confirm = async (): Promise<boolean> => {
      const visitor = await authenticate(request, now);
      if (visitor === recalled) return true;
      letIn(request, await receiveInstead(request, reply, visitor, before), now);
      return false;
    };
    try {
      letIn(request, before, now);
      request.confirm = confirm;
    } catch (refusal) {
      if (await confirm()) throw refusal;
    }
  };
  return {
    admit: async (request, reply, challenge) => receive(request, reply, await authenticate(request, deps.clock.now()), challenge),
    async pass(request, reply) {
      const now = deps.clock.now();
      request.handed = takeHanded();
      if (request.handed) {
        showQuota(reply, request.handed.quota);
        return letIn(request, takeOver(request, request.handed), now);
      }
      const recalled = request.routeOptions.config.operation?.method === "GET" ? recall(request) : null;
      if (recalled) return passRecalled(request, reply, recalled, now);
      letIn(request, await receive(request, reply, await authenticate(request, now)), now);
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

/** Recognised and counted at the agents' door a moment ago; whatever it does is marked as done there. */
const takeOver = (request: FastifyRequest, { visitor, quota }: Handed): Admitted => {
  request.known = visitor;
  request.isCounted = true;
  return { visitor: { ...visitor, actor: { ...visitor.actor, via: "mcp" } }, quota };
};
