/** Rate limits by client address: an IPv4 address or an IPv6 /64 has the limit, a whole /48 a higher one. */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { apiError } from "#lib/errors.ts";
import { sourceOf } from "#lib/network-source.ts";
import { type Quota, quotaHeaders, type RateLimiter } from "./rate-limit.ts";
import { writeHeaders } from "./reply.ts";

/** A /48 may belong to one customer or be shared by thousands of phones. */
export const NETWORK_FACTOR = 8;

type CountedAddress = { who: string; address: string | undefined; limit: number };

/** `who` is the prefix of the key and names what is counted together, such as `oauth:token`. */
export const countAddress = async (limiter: RateLimiter, { who, address, limit }: CountedAddress): Promise<Quota> => {
  const { host, network } = sourceOf(address);
  const quota = await limiter.count(`${who}:${host}`, limit);
  // A host over its limit does not use up the quota of its network.
  if (network === host || quota.isOver) return quota;
  const wide = await limiter.count(`${who}:${network}`, limit * NETWORK_FACTOR);
  return wide.isOver ? wide : quota;
};

/**
 * Counts a request by the address it comes from. Over the limit its connection ends with the answer, unless a proxy holds it for others
 * too: then it is not the client's own.
 */
export const countCallerAddress = async (
  limiter: RateLimiter,
  reply: FastifyReply,
  { who, limit }: Omit<CountedAddress, "address">,
): Promise<Quota> => {
  const { ip, socket } = reply.request;
  const quota = await countAddress(limiter, { who, address: ip, limit });
  if (quota.isOver && ip === socket.remoteAddress) reply.header("Connection", "close");
  return quota;
};

/** Throws `rate_limited` when the quota is exceeded. */
export const enforceQuota = (quota: Quota, reply: FastifyReply, { clock }: Pick<Deps, "clock">): void => {
  if (!quota.isOver) return;
  writeHeaders(reply, quotaHeaders(quota, clock.now().getTime()));
  throw apiError("rate_limited");
};

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * The limit that counts the route's requests before their body is read: by token, the OAuth endpoints', or the console's. Without a
     * value they are counted here, by address.
     */
    countedBy?: "token" | "oauth" | "console";
  }
}

export type PageLimit = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Limits public pages, files and documents, and unknown paths. */
export const createPageLimit =
  (deps: Pick<Deps, "clock" | "config">, limiter: RateLimiter): PageLimit =>
  async (_request, reply) =>
    enforceQuota(await countCallerAddress(limiter, reply, { who: "page:address", limit: deps.config.pageRatePerMinute }), reply, deps);
