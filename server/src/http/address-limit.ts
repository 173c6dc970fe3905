/** Counting by client address: an IPv4 address, or a /64 of IPv6, has the limit; a whole /48 has a wider one. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { fail } from "#lib/errors.ts";
import { sourceOf } from "#lib/network-source.ts";
import { type Quota, quotaHeaders, type RateLimiter } from "./rate-limit.ts";
import { writeHeaders } from "./reply.ts";

/** Thousands of phones may share a /48, and one customer may have it alone. */
export const NETWORK_FACTOR = 8;

type Counted = { who: string; address: string | undefined; limit: number };

/** `who` goes before the address: what is counted together, such as `oauth:token`. */
export const countAddress = async (limiter: RateLimiter, { who, address, limit }: Counted): Promise<Quota> => {
  const { host, network } = sourceOf(address);
  const quota = await limiter.count(`${who}:${host}`, limit);
  // A host that is over its limit does not use up what its neighbours have left.
  if (network === host || quota.isOver) return quota;
  const wide = await limiter.count(`${who}:${network}`, limit * NETWORK_FACTOR);
  return wide.isOver ? wide : quota;
};

/** Refused with `rate_limited` when it is one too many. */
export const holdTo = (quota: Quota, reply: FastifyReply, { clock }: Pick<Deps, "clock">): void => {
  if (!quota.isOver) return;
  writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
  throw fail("rate_limited");
};

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * Who counts the requests of this route before a byte of their body is read: the gate by token, the OAuth endpoint, or the console.
     * A route that says nothing is counted here, by address.
     */
    countedBy?: "gate" | "oauth" | "console";
  }
}

export type PageLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Pages, files and documents for everybody, and addresses that nothing answers to. */
export const createPageLimit =
  (deps: Pick<Deps, "clock" | "config">, limiter: RateLimiter): PageLimit =>
  async (request, reply) =>
    holdTo(await countAddress(limiter, { who: "page:address", address: request.ip, limit: deps.config.pageRatePerMinute }), reply, deps);
