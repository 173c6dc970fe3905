/** Fixed windows of a minute, opened by the first request (§8); shared through Redis, kept in the process when it is gone. */
import type { Writable } from "node:stream";
import type { Redis } from "ioredis";
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";

const WINDOW_SECONDS = 60;
const REDIS_MS_MAX = 150;

/**
 * Whether Redis is late is decided after what has arrived was read. A process that was busy for a moment finds its timers
 * before its mail, and would take its own delay for Redis's: each process would then count for itself.
 */
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error("Redis did not answer in time"));
    const timer = setTimeout(() => setImmediate(() => setImmediate(giveUp)), REDIS_MS_MAX);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/**
 * What is counted in one turn of the event loop leaves in one write. The client's own way of doing so makes a pipeline of
 * objects for it, which costs more than it saves.
 */
const gatherWrites = ({ stream }: { stream?: Writable }): void => {
  if (!stream || stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
};

/** The counting command of the limiter's library, with our patience. */
const withPatience = (redis: Redis): Redis =>
  new Proxy(redis, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      if (name !== "rlflxIncr") return member.bind(target) as unknown;
      return (...parameters: unknown[]) => {
        gatherWrites(target as unknown as { stream?: Writable });
        return inTime(member.apply(target, parameters) as Promise<unknown>);
      };
    },
  });

/** What is left of a window after one more request was counted into it. */
export type Quota = { limit: number; remaining: number; isOver: boolean; resetInMs: number };

export type RateLimiter = {
  count(who: string, limit: number, windowSeconds?: number): Promise<Quota>;
  /** What is left of the running window, without counting; null when none is running. */
  peek?(who: string, limit: number, windowSeconds?: number): Promise<number | null>;
  /** Takes one count back. */
  giveBack?(who: string, limit: number, windowSeconds?: number): Promise<void>;
};

export const createRateLimiter = (redis: Redis | null, usualSeconds = WINDOW_SECONDS): RateLimiter => {
  // The library fixes limit and window per instance, so there is one for each pair in use: a handful.
  const patient = redis && withPatience(redis);
  const limiters = new Map<string, RateLimiterMemory | RateLimiterRedis>();
  const limiterFor = (limit: number, windowSeconds = usualSeconds) => {
    const name = `${limit}/${windowSeconds}`;
    let limiter = limiters.get(name);
    if (!limiter) {
      const memory = new RateLimiterMemory({ keyPrefix: "rate", points: limit, duration: windowSeconds });
      limiter = patient
        ? new RateLimiterRedis({
            storeClient: patient,
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
        .catch((refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) return [refusal, true] as const;
          throw refusal;
        });
      return { limit, remaining: Math.max(0, state.remainingPoints), isOver, resetInMs: state.msBeforeNext };
    },
    async peek(who, limit, windowSeconds) {
      const state = await limiterFor(limit, windowSeconds)
        .get(who)
        .catch(() => null);
      return state && state.msBeforeNext > 0 ? Math.max(0, limit - state.consumedPoints) : null;
    },
    async giveBack(who, limit, windowSeconds) {
      await limiterFor(limit, windowSeconds)
        .reward(who)
        .catch(() => undefined);
    },
  };
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
