/** How often the console may be called: by address before anything is read, then by person and by venue. */
import type { ConsoleOperation } from "@comanda/contract/console-operation.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#deps.ts";
import { countAddress, holdTo } from "./address-limit.ts";
import type { RateLimiter } from "./rate-limit.ts";

/**
 * An open page asks up to three questions a second while its venue is busy. So a person with a few of them stays below the limit of
 * 1,200 a minute, and so does a venue, or an office behind one address, with thirty people at once.
 */
const OFFICE = 5;

/** Who is counted; the venue is null where the call belongs to none, or to one where this person does not work. */
export type Counted = { personId: number; restaurantId: number | null };

export type ConsoleLimit = {
  countAddress(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  countPerson(reply: FastifyReply, who: Counted, operation?: ConsoleOperation): Promise<void>;
};

export const createConsoleLimit = (deps: Pick<Deps, "clock" | "config">, limiter: RateLimiter): ConsoleLimit => {
  const limit = deps.config.consoleRatePerMinute;
  return {
    async countAddress(request, reply) {
      holdTo(await countAddress(limiter, { who: "console:address", address: request.ip, limit: limit * OFFICE }), reply, deps);
    },
    async countPerson(reply, { personId, restaurantId }, operation) {
      const { perMinute, method, path } = operation ?? {};
      const quotas = await Promise.all([
        limiter.count(`console:person:${personId}`, limit),
        ...(restaurantId === null ? [] : [limiter.count(`console:venue:${restaurantId}`, limit * OFFICE)]),
        ...(perMinute === undefined ? [] : [limiter.count(`console:person:${personId}:${method} ${path}`, perMinute)]),
      ]);
      for (const quota of quotas) holdTo(quota, reply, deps);
    },
  };
};
