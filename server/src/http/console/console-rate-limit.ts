/** The console's rate limits: by address before the body is read, then by user and by venue. */
import type { ConsoleOperation } from "@comanda/contract/console/operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { countCallerAddress, enforceQuota } from "../address-limit.ts";
import type { RateLimiter } from "../rate-limit.ts";

/**
 * An open page sends up to three requests a second while its venue is busy. A user with a few pages stays below 1,200 a minute. The
 * multiplier covers thirty users of one venue or one address.
 */
const PEOPLE_MULTIPLIER = 5;

/** A user may try a code with a sixtieth of the calls, a venue three times as often: 20 and 60 a minute. No counter needs more. */
const TRIES_DIVISOR = 60;
const TRIES_MULTIPLIER = 3;

/** `caller` is a user or a screen. The venue is null for a call without a venue, or with one that the user is no member of. */
export type CountedCaller = { caller: string; restaurantId: number | null };

export type ConsoleRateLimit = {
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  countCaller(reply: FastifyReply, who: CountedCaller, operation?: ConsoleOperation): Promise<void>;
};

export const createConsoleRateLimit = (deps: Pick<Deps, "clock" | "config">, limiter: RateLimiter): ConsoleRateLimit => {
  const limit = deps.config.consoleRatePerMinute;
  const tries = Math.ceil(limit / TRIES_DIVISOR);
  return {
    async countAddress(_request, reply) {
      enforceQuota(await countCallerAddress(limiter, reply, { who: "console:address", limit: limit * PEOPLE_MULTIPLIER }), reply, deps);
    },
    async countCaller(reply, { caller, restaurantId }, operation) {
      const { perMinute, triesCodes, method, path, revokes } = operation ?? {};
      const own = await Promise.all([
        limiter.count(`console:${caller}`, limit),
        ...(perMinute === undefined ? [] : [limiter.count(`console:${caller}:${method} ${path}`, perMinute)]),
        ...(triesCodes ? [limiter.count(`console:${caller}:codes`, tries)] : []),
      ]);
      for (const quota of own) enforceQuota(quota, reply, deps);
      // Counted after the caller's own limit: a caller above it does not use up what the venue has. Ending access is never refused for it.
      if (restaurantId === null || revokes !== undefined) return;
      if (triesCodes) enforceQuota(await limiter.count(`console:venue:${restaurantId}:codes`, tries * TRIES_MULTIPLIER), reply, deps);
      enforceQuota(await limiter.count(`console:venue:${restaurantId}`, limit * PEOPLE_MULTIPLIER), reply, deps);
    },
  };
};
