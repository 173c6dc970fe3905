/** Rate limits with Redis up, gone, frozen, emptied and back: the limit is shared while it can be, and no request ever fails for it. */
import { setTimeout as sleep } from "node:timers/promises";
import { Redis } from "ioredis";
import { RateLimiterRedis, RateLimiterRes } from "rate-limiter-flexible";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildApp } from "../../src/compose/api.ts";
import { createRateLimiter, type RateLimiter } from "../../src/http/rate-limit.ts";
import { createRedis, hasRedis, type RedisServer } from "../support/processes.ts";
import { startApp, type TestApp, type TestVenue } from "../support/test-app.ts";
import { beginTiming } from "../support/timing-verdict.ts";

const REQUESTS_PER_SECOND = 200;
const LIMIT = 60;
const PARALLEL = 500;

let redis: RedisServer;
let apps: [TestApp, TestApp];
let lab: TestVenue;

beforeAll(async () => {
  if (!hasRedis) return console.warn("redis-server is not installed: the tests that need Redis are skipped");
  redis = await createRedis();
  await redis.start();
  const environment = { REDIS_URL: redis.url };
  const first = await startApp({ environment });
  apps = [first, await startApp({ environment, database: first.database })];
  lab = await first.venue("lab");
  await untilShared();
});
afterAll(async () => {
  if (!hasRedis) return;
  await apps[1].close();
  await apps[0].close();
  await redis.stop();
});

/** Calls alternate between the two; how many of them pass, and that each answer says what is left. */
const passed = async (token: string, count: number, over: TestApp[] = apps): Promise<number> => {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => (over[index % over.length] as TestApp).call(token, "GET", "/menus")),
  );
  for (const { status } of answers) expect([200, 429]).toContain(status);
  return answers.filter(({ status }) => status === 200).length;
};

const tokenOf = (ratePerMinute: number): Promise<string> => apps[0].token(lab.slug, { ratePerMinute });

/** Both processes count in Redis again: the second call, over the other process, knows of the first. */
const untilShared = async (): Promise<number> => {
  const begin = performance.now();
  for (;;) {
    const token = await tokenOf(2);
    const left = [];
    for (const app of apps) left.push((await app.call(token, "GET", "/menus")).headers.get("x-ratelimit-remaining"));
    if (left.join() === "1,0") return performance.now() - begin;
    if (performance.now() - begin > 10_000) throw new Error("The limit is not shared");
    await sleep(50);
  }
};

type OutagePhase = { name: string; latencies: number[] };

const percentile = (sorted: number[], share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

const describePhase = ({ name, latencies }: OutagePhase): string => {
  const sorted = latencies.toSorted((a, b) => a - b);
  return `${name} ${sorted.length} (p50 ${percentile(sorted, 0.5).toFixed(0)}, p99 ${percentile(sorted, 0.99).toFixed(0)}, max ${sorted.at(-1)?.toFixed(0)} ms)`;
};

describe.skipIf(!hasRedis)("with Redis", () => {
  test("of 500 calls at once over two processes exactly 60 pass", async () => {
    expect(await passed(await tokenOf(LIMIT), PARALLEL)).toBe(LIMIT);
  });

  test("stopped, frozen, emptied and restarted under load: no 5xx, rate headers on every answer, and sharing comes back", async (context) => {
    const timing = beginTiming(context);
    const phases: OutagePhase[] = [];
    const enter = (name: string) => phases.push({ name, latencies: [] });
    const calls: Promise<void>[] = [];
    const failures: string[] = [];
    let sent = 0;
    enter("up");
    const timer = setInterval(() => {
      const [phase, app] = [phases.at(-1) as OutagePhase, apps[sent++ % 2] as TestApp];
      const begin = performance.now();
      // `call` refuses an answer without rate headers.
      const call = app.call(lab.token, "GET", "/menus").then(({ status, text }) => {
        phase.latencies.push(performance.now() - begin);
        if (status !== 200) failures.push(`${phase.name}: ${status} ${text}`);
      });
      calls.push(call.catch((error: Error) => void failures.push(`${phase.name}: ${error.message}`)));
    }, 1000 / REQUESTS_PER_SECOND);
    await sleep(1000);
    enter("stopped");
    await redis.stop();
    await sleep(1500);
    await redis.start();
    enter("restarted");
    await untilShared();
    await sleep(500);
    enter("frozen");
    redis.signal("SIGSTOP");
    await sleep(1500);
    redis.signal("SIGCONT");
    enter("thawed");
    await sleep(1000);
    enter("emptied");
    await redis.command("FLUSHALL");
    await sleep(500);
    await redis.stop();
    enter("stopped again");
    await sleep(500);
    await redis.start();
    enter("back");
    const backMs = await untilShared();
    clearInterval(timer);
    await Promise.all(calls);
    console.log(
      `${sent} requests, ${failures.length} failed; ${phases.map(describePhase).join(", ")}; shared again after ${backMs.toFixed(0)} ms`,
    );
    expect(failures).toEqual([]);
    timing.judge(() => {
      expect(backMs).toBeLessThan(3000);
      for (const { name, latencies } of phases)
        expect(
          percentile(
            latencies.toSorted((a, b) => a - b),
            0.99,
          ),
          `p99 while ${name}`,
        ).toBeLessThan(400);
    });
  });

  test("after all that the limit holds over both processes together", async () => {
    expect(await passed(await tokenOf(10), 40)).toBe(10);
  });

  test("without Redis each process keeps the limit by itself", async () => {
    await redis.stop();
    const token = await tokenOf(10);
    expect(await passed(token, 40)).toBe(20);
    await redis.start();
    await untilShared();
  });

  test("planted fault: a limiter without insurance fails every request while Redis is gone", async () => {
    await redis.stop();
    const client = new Redis(redis.url, { enableOfflineQueue: false, lazyConnect: true, retryStrategy: () => null });
    client.on("error", () => undefined);
    const bare = new RateLimiterRedis({ storeClient: client, points: 10, duration: 60, rejectIfRedisNotReady: true });
    const refusal = await bare.consume("someone").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).not.toBeInstanceOf(RateLimiterRes);
    const limiter: RateLimiter = {
      count: async (who, limit) => {
        const { remainingPoints, msBeforeNext } = await bare.consume(who);
        return { limit, remaining: remainingPoints, isOver: false, resetInMs: msBeforeNext };
      },
    };
    const faulty = await buildApp(apps[0].deps, { limiter });
    const answer = await faulty.http.inject({ url: "/api/v1/menus", headers: { authorization: `Bearer ${lab.token}` } });
    expect(answer.statusCode).toBeGreaterThanOrEqual(500);
    await faulty.http.close();
    client.disconnect();
    await redis.start();
  });
});

test("without Redis, of 500 calls at once in one process exactly 60 pass", async () => {
  const alone = await startApp();
  const venue = await alone.venue("lab");
  expect(await passed(await alone.token(venue.slug, { ratePerMinute: LIMIT }), PARALLEL, [alone])).toBe(LIMIT);
  await alone.close();
});

test("D37 the window opens with the first call and lets everyone in again when it is over", async () => {
  const limiter = createRateLimiter(null, 1);
  const states = [];
  for (let call = 0; call < 3; call++) states.push(await limiter.count("someone", 2));
  expect(states.map(({ remaining, isOver }) => [remaining, isOver])).toEqual([
    [1, false],
    [0, false],
    [0, true],
  ]);
  await sleep((states[0]?.resetInMs ?? 0) + 20);
  expect(await limiter.count("someone", 2)).toMatchObject({ remaining: 1, isOver: false });
});
