/**
 * How many calls a token has in a minute. Only this file uses the tokens with a small rate; its tests run side by side,
 * since each may have to wait for a window to end.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CheckedAnswer } from "../answer-check.ts";
import { call } from "../client.ts";
import { expectRefused, expectStatus } from "../expectations.ts";
import { dishBody } from "../menu/dishes.ts";
import { categoryFor, labFloor } from "../menu/floor.ts";
import { counted, lab, lapsed, neighbour, suspended } from "../target.ts";

const WAITING_MS = 140_000;
const DEFAULT_RATE = 60;

const remaining = ({ headers }: CheckedAnswer): number => Number(headers.get("x-ratelimit-remaining"));
const limit = ({ headers }: CheckedAnswer): number => Number(headers.get("x-ratelimit-limit"));
const retryAfter = ({ headers }: CheckedAnswer): number => Number(headers.get("retry-after"));
const read = (token: string): Promise<CheckedAnswer> => call(token, "GET", "/categories");

const waitOut = (refused: CheckedAnswer): Promise<void> => sleep(retryAfter(refused) * 1000 + 150);

/** Calls until the token is refused, and returns the refusal; there is time left in its window for further calls. */
const exhaust = async (token: string): Promise<CheckedAnswer> => {
  for (let calls = 0; calls < 3 * DEFAULT_RATE; calls++) {
    const answer = await read(token);
    if (answer.status !== 429) continue;
    if (retryAfter(answer) > 3) return answer;
    await waitOut(answer);
  }
  throw new Error(`Never refused after ${3 * DEFAULT_RATE} calls.`);
};

/** The first answer of a window that this call opened; a window touched before is used up and waited out. */
const openWindow = async (token: string): Promise<CheckedAnswer> => {
  const first = await read(token);
  if (remaining(first) === limit(first) - 1) return first;
  await waitOut(first.status === 429 ? first : await exhaust(token));
  return read(token);
};

describe.concurrent("rate", { timeout: WAITING_MS }, () => {
  test("R8-01 R8-04 60 calls are served with 59 to 0 left, the 61st is 429 with a wait of 1 to 60 seconds", async () => {
    const token = lab.tokens.default_rate;
    const served = [await openWindow(token)];
    while (served.length < DEFAULT_RATE) served.push(await read(token));
    for (const answer of served) expectStatus(answer, 200);
    expect(served.map(remaining)).toEqual(Array.from({ length: DEFAULT_RATE }, (_, index) => DEFAULT_RATE - 1 - index));
    const refused = await read(token);
    expectRefused(refused, "rate_limited");
    for (const answer of [...served, refused]) expect(limit(answer)).toBe(DEFAULT_RATE);
    expect(remaining(refused)).toBe(0);
    expect(retryAfter(refused)).toBeGreaterThanOrEqual(1);
    expect(retryAfter(refused)).toBeLessThanOrEqual(60);
  });

  test("R8-02 R8-03 R8-10 served again after Retry-After; refusals in between neither prolong it nor are kept", async () => {
    const token = lab.tokens.rate_5;
    const body = dishBody((await labFloor()).other.id);
    const headers = { "idempotency-key": crypto.randomUUID() };
    const post = () => call(token, "POST", "/items", { body, headers });
    const refused = await exhaust(token);
    const ends = Date.now() + retryAfter(refused) * 1000;
    expectRefused(await post(), "rate_limited");
    expectStatus(await read(lab.tokens.full_2), 200);
    for (let wait = retryAfter(refused); Date.now() < ends - 3500; ) {
      await sleep(Math.min(8000, ends - Date.now() - 2000));
      const again = await read(token);
      expectRefused(again, "rate_limited");
      expect(retryAfter(again)).toBeLessThan(wait);
      wait = retryAfter(again);
    }
    await sleep(Math.max(0, ends - Date.now()) + 150);
    const served = await post();
    expectStatus(served, 201);
    expect(served.headers.get("idempotent-replayed")).toBeNull();
    expect([limit(served), remaining(served)]).toEqual([5, 4]);
  });

  test("R8-03 404, 405, 422, HEAD and replays are counted like any call", async () => {
    const token = counted.tokens.default_rate;
    const body = dishBody(await categoryFor(counted));
    const headers = { "idempotency-key": crypto.randomUUID() };
    await openWindow(token);
    const answers = [
      await read(token),
      await call(token, "GET", "/items/9007199254740991"),
      await call(token, "GET", "/nothing"),
      await call(token, "DELETE", "/items"),
      await call(token, "GET", "/items", { query: "per_page=0" }),
      await call(token, "HEAD", "/menus"),
      await call(token, "POST", "/items", { rawBody: "not json" }),
      await call(token, "POST", "/items", { body, headers }),
      await call(token, "POST", "/items", { body, headers }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 405, 422, 200, 422, 201, 201]);
    const first = remaining(answers[0] as CheckedAnswer);
    expect(answers.map(remaining)).toEqual(answers.map((_, index) => first - index));
  });

  test("R8-03 403 is counted like any call", async () => {
    const token = suspended.tokens.default_rate;
    const first = await openWindow(token);
    const refused = await call(token, "POST", "/items", { body: {} });
    expectRefused(refused, "restaurant_suspended");
    expect(remaining(refused)).toBe(remaining(first) - 1);
    expect(remaining(await read(token))).toBe(remaining(first) - 2);
  });

  test("R8-04 another rate of a token shows in the header and in the count", async () => {
    const token = neighbour.tokens.rate_5;
    const served = [await openWindow(token)];
    while (served.length < 5) served.push(await read(token));
    expect(served.map(remaining)).toEqual([4, 3, 2, 1, 0]);
    expect(served.map(limit)).toEqual([5, 5, 5, 5, 5]);
    expectRefused(await read(token), "rate_limited");
    expect(limit(await read(lab.tokens.full))).toBeGreaterThan(DEFAULT_RATE);
  });

  test("RX-04 RX-05 RX-21 429 comes before the plan, the scope, the path and the body", async () => {
    const token = lapsed.tokens.rate_5;
    await exhaust(token);
    expectRefused(await call(token, "GET", "/nothing"), "rate_limited");
    expectRefused(await call(token, "POST", "/items", { rawBody: "not json" }), "rate_limited");
    expectRefused(await call(lapsed.tokens.expired, "GET", "/menus"), "unauthenticated");
  });
});
