/**
 * Fixed windows of a minute, which the first request opens (§8). Processes share them through Redis; without it each counts alone.
 *
 * A window is absent, open (requests are counted and pass), over (requests are counted and refused), and absent again when its time has passed.
 * While Redis is late or away each process counts in a window of its own memory, which may let through the limit once for each process.
 */
import type { Writable } from "node:stream";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

const WINDOW_SECONDS = 60;
const REDIS_MS_MAX = 150;

/**
 * After a stall, timers fire before sockets are read. Two turns of the event loop pass before Redis counts as late; otherwise a busy
 * process would take its own delay for Redis's and count alone.
 */
const rejectWhenLate = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error("Redis did not answer in time"));
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), REDIS_MS_MAX);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * Sends all commands of one turn of the event loop in one write. The client's automatic pipelining costs more than it saves.
 */
const corkUntilNextTick = ({ stream }: { stream?: Writable }): void => {
  if (!stream || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
};

/** Adds the timeout to the command with which the library counts. */
const withTimeout = (redis: Redis): Redis =>
  new Proxy(redis, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "rlflxIncr") return member.bind(target) as unknown;
      return (...parameters: unknown[]) => {
        corkUntilNextTick(target as unknown as { stream?: Writable });
        return rejectWhenLate(member.apply(target, parameters) as Promise<unknown>);
      };
    },
  });

/** The state of a window after a request was counted. */
export type Quota = { limit: number; remaining: number; isOver: boolean; resetInMs: number };

export type RateLimiter = {
  count(who: string, limit: number, windowSeconds?: number): Promise<Quota>;
  /** The rest of the current window, without counting; null without one. */
  peek?(who: string, limit: number, windowSeconds?: number): Promise<number | null>;
  /** Takes one count back. */
  refund?(who: string, limit: number, windowSeconds?: number): Promise<void>;
};

export const createRateLimiter = (redis: Redis | null, usualSeconds = WINDOW_SECONDS): RateLimiter => {
  // The library fixes limit and window per instance, so each pair in use has one.
  const redisWithTimeout = redis && withTimeout(redis);
  const limiters = new Map<string, RateLimiterMemory | RateLimiterRedis>();
  const limiterFor = (limit: number, windowSeconds = usualSeconds) => {
    const name = `${limit}/${windowSeconds}`;
    let limiter = limiters.get(name);
    if (!limiter) {
      const memory = new RateLimiterMemory({ keyPrefix: "rate", points: limit, duration: windowSeconds });
      limiter = redisWithTimeout
        ? new RateLimiterRedis({
            storeClient: redisWithTimeout,
            keyPrefix: "rate",
            points: limit,
            duration: windowSeconds,
            rejectIfRedisNotReady: true,
            insuranceLimiter: memory,
          })
        : memory;
      limiters.set(name, limiter);
    }
    return limiter;
  };
  return {
    async count(who, limit, windowSeconds) {
      const [state, isOver] = await limiterFor(limit, windowSeconds)
        .consume(who)
        .then((left) => [left, false] as const)
        .catch((rejection: unknown) => {
          if (rejection instanceof RateLimiterRes) return [rejection, true] as const;
          throw rejection;
        });
      return { limit, remaining: Math.max(0, state.remainingPoints), isOver, resetInMs: state.msBeforeNext };
    },
    async peek(who, limit, windowSeconds) {
      const state = await limiterFor(limit, windowSeconds)
        .get(who)
        .catch(() => null);
      return state && state.msBeforeNext > 0 ? Math.max(0, limit - state.consumedPoints) : null;
    },
    async refund(who, limit, windowSeconds) {
      await limiterFor(limit, windowSeconds)
        .reward(who)
        .catch(() => undefined);
    },
  };
};

/** The headers of an answer to a request that was not counted: the limit of an address. */
export const uncountedHeaders = ({ unauthenticatedRatePerMinute }: { unauthenticatedRatePerMinute: number }): Record<string, string> => {
  const rate = String(unauthenticatedRatePerMinute);
  return { "X-RateLimit-Limit": rate, "X-RateLimit-Remaining": rate };
};

export const quotaHeaders = (quota: Quota, nowMs: number): Record<string, string> => ({
  "X-RateLimit-Limit": String(quota.limit),
  "X-RateLimit-Remaining": String(quota.remaining),
  ...(quota.isOver
    ? {
        "Retry-After": String(Math.max(1, Math.ceil(quota.resetInMs / 1000))),
        "X-RateLimit-Reset": String(Math.ceil((nowMs + quota.resetInMs) / 1000)),
      }
    : {}),
});
