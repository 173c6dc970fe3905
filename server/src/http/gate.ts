/** The first gates, before a body is read: who is it, how often, and is the way open (open point D27). */
import type { Operation } from "@comanda/contract/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { AccessLock } from "#db/access.ts";
import type { Db } from "#db/query.ts";
import type { Deps } from "#deps.ts";
import type { Actor, Tenant } from "#lib/context.ts";
import { fail, type Refusal } from "#lib/errors.ts";
import { countAddress } from "./address-limit.ts";
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
  /** What a write of this visitor locks, so that a revocation waits for it. */
  locks: readonly AccessLock[];
  /** Asks the database, inside a write's transaction, whether token, venue and plan are as they were. */
  isUnchanged(db: Db): Promise<boolean>;
  isExpired(now: Date): boolean;
};

/** Somebody whose token is good, and what is left after this request was counted. */
export type Admitted = {
  readonly visitor: Visitor;
  readonly quota: Quota;
  /** Authenticates the same token again: null when it is no longer good. */
  again(now: Date): Promise<Visitor | null>;
};

declare module "fastify" {
  interface FastifyRequest {
    visitor: Visitor;
    /** Whose token it is, from the moment that is known: also of a request that a later gate refuses. */
    known: Visitor | null;
    /** Why it was refused, for the log of requests. */
    refusedWith: string | null;
    /** Which fields it was refused for, as `details` names them. */
    faultyFields: readonly string[] | null;
    isCounted: boolean;
    /**
     * Set while the visitor is only recalled: asks the database, in one trip with what is read meanwhile. True when all is
     * as it was; false when the visitor is another now, so what was read for the old one is void; a refusal is thrown.
     */
    confirm: (() => Promise<boolean>) | null;
    /**
     * For a write that found its access changed: authenticates and authorizes again, as of `now`. A refusal is thrown;
     * otherwise the request has its new visitor.
     */
    readmit: ((now: Date) => Promise<void>) | null;
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

const createReception = ({ clock, config }: Deps, limiter: RateLimiter, { authenticate }: Authenticator) => {
  const count = async (request: FastifyRequest, who: string, limit: number): Promise<Quota> => {
    const quota = await limiter.count(who, limit);
    request.isCounted = true;
    return quota;
  };
  const showQuota = (reply: FastifyReply, quota: Quota): void => writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
  // Guessing a token is hopeless; this bucket only keeps a broken client from flooding, so it is wide (D40).
  const countStranger = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const quota = await countAddress(limiter, { who: "address", address: request.ip, limit: config.unauthenticatedRatePerMinute });
    request.isCounted = true;
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
    return { visitor, quota, again: (now) => authenticate(request, now) };
  };
  /** The token is somebody else's now. Counted again only if caller or rate differ; the old rate headers go then. */
  const receiveInstead = async (
    request: FastifyRequest,
    reply: FastifyReply,
    visitor: Visitor | null,
    before: Admitted,
  ): Promise<Admitted> => {
    const { visitor: old, quota } = before;
    if (visitor?.actor.caller === old.actor.caller && visitor.ratePerMinute === old.ratePerMinute) {
      request.known = visitor;
      return { ...before, visitor };
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

type ReceiveInstead = (visitor: Visitor | null) => Promise<Admitted>;

const readmission =
  (request: FastifyRequest, { again }: Admitted, receiveInstead: ReceiveInstead) =>
  async (now: Date) => {
    const visitor = await again(now);
    // The agents' door answers a token that has ended, and counts it.
    if (visitor === null && request.handed) throw fail("unauthenticated", {}, { "WWW-Authenticate": "Bearer" });
    letIn(request, await receiveInstead(visitor), now);
  };

/** The message with the call may have taken seconds to arrive, so the read asks again whose token it is. */
const confirmHanded =
  (request: FastifyRequest, { visitor, again }: Handed, clock: Deps["clock"]) =>
  async (): Promise<boolean> => {
    const now = clock.now();
    if ((await again(now)) === visitor) return true;
    await request.readmit?.(now);
    return false;
  };

export const createGate = (deps: Deps, limiter: RateLimiter, authenticator: Authenticator): Gate => {
  const { authenticate, recall } = authenticator;
  const { showQuota, countStranger, receive, receiveInstead } = createReception(deps, limiter, authenticator);
  const passAdmitted = (request: FastifyRequest, reply: FastifyReply, admitted: Admitted, now: Date): void => {
    letIn(request, admitted, now);
    request.readmit = readmission(request, admitted, (visitor) => receiveInstead(request, reply, visitor, admitted));
  };
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
      const isRead = request.routeOptions.config.operation?.method === "GET";
      request.handed = takeHanded();
      if (request.handed) {
        showQuota(reply, request.handed.quota);
        passAdmitted(request, reply, takeOver(request, request.handed), now);
        if (isRead) request.confirm = confirmHanded(request, request.handed, deps.clock);
        return;
      }
      const recalled = isRead ? recall(request) : null;
      if (recalled) return passRecalled(request, reply, recalled, now);
      passAdmitted(request, reply, await receive(request, reply, await authenticate(request, now)), now);
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
const takeOver = (request: FastifyRequest, { visitor, quota, again }: Handed): Admitted => {
  request.known = visitor;
  request.isCounted = true;
  return {
    visitor: viaAgents(visitor),
    quota,
    again: async (now) => {
      const visitorNow = await again(now);
      return visitorNow && viaAgents(visitorNow);
    },
  };
};

const viaAgents = (visitor: Visitor): Visitor => ({ ...visitor, actor: { ...visitor.actor, via: "mcp" } });
