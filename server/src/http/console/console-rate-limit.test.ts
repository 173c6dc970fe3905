/** What one caller can take from its venue. */
import type { FastifyReply } from "fastify";
import { expect, test } from "vitest";
import type { Deps } from "#deps.ts";
import type { RateLimiter } from "../rate-limit.ts";
import { createConsoleRateLimit } from "./console-rate-limit.ts";

const LIMIT = 10;

const createCounter = () => {
  const counts = new Map<string, number>();
  const limiter = {
    count: async (key: string, limit: number) => {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return { limit, remaining: Math.max(0, limit - count), isOver: count > limit, resetInMs: 60_000 };
    },
  } as unknown as RateLimiter;
  const deps = { clock: { now: () => new Date(0) }, config: { consoleRatePerMinute: LIMIT } } as unknown as Deps;
  return { counts, limits: createConsoleRateLimit(deps, limiter) };
};

const reply = { header: () => reply, headers: () => reply } as unknown as FastifyReply;

test("a caller above its own limit uses up nothing of its venue, and ending access is not counted there", async () => {
  const { counts, limits } = createCounter();
  const answers = await Promise.allSettled(
    Array.from({ length: 5 * LIMIT }, () => limits.countCaller(reply, { caller: "screen:1", restaurantId: 7 })),
  );
  expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(LIMIT);
  expect(counts.get("console:venue:7")).toBe(LIMIT);
  await limits.countCaller(reply, { caller: "user:2", restaurantId: 7 }, { revokes: "venue" } as Parameters<typeof limits.countCaller>[2]);
  expect(counts.get("console:venue:7")).toBe(LIMIT);
});
