/** Long turns of the main thread are charged to their venue; short ones, and those without a venue, are not. */
import { expect, test } from "vitest";
import { createMainThread, LONG_TURN_MS } from "./main-thread.ts";

const turns = (thread: ReturnType<typeof createMainThread>, venue: number | null, ms: number, count: number): number => {
  let [nowMs, usedMs] = [0, 0];
  for (let turn = 0; turn < count; turn++) {
    thread.begin(venue, { nowMs, usedMs });
    nowMs += ms;
    usedMs += ms;
    thread.end({ nowMs, usedMs });
  }
  return nowMs;
};

test("a venue with long turns rests, for half a second at most; others do not", () => {
  const thread = createMainThread();
  const nowMs = turns(thread, 1, 150, 20);
  expect([thread.isResting(1, nowMs), thread.isResting(2, nowMs), thread.isResting(null, nowMs)]).toEqual([true, false, false]);
  expect(thread.isResting(1, nowMs + 501)).toBe(false);
});

test("a few large pages are allowed, and any number of short turns", () => {
  const thread = createMainThread();
  expect(thread.isResting(1, turns(thread, 1, 150, 2))).toBe(false);
  expect(thread.isResting(2, turns(thread, 2, LONG_TURN_MS - 1, 5000))).toBe(false);
  expect(thread.isResting(null, turns(thread, null, 150, 50))).toBe(false);
});

test("many large answers are charged by their bytes", () => {
  const thread = createMainThread();
  for (let answer = 0; answer < 100; answer++) thread.chargeSending(1, 2 * 1024 * 1024, 0);
  expect(thread.isResting(1, 0)).toBe(false);
  for (let answer = 0; answer < 1000; answer++) thread.chargeSending(1, 2 * 1024 * 1024, 0);
  expect([thread.isResting(1, 0), thread.isResting(1, 501), thread.isResting(2, 0)]).toEqual([true, false, false]);
});

test("the next result ends a turn; waiting for a busy machine is not charged", () => {
  const thread = createMainThread();
  thread.begin(1, { nowMs: 0, usedMs: 0 });
  thread.begin(2, { nowMs: 10, usedMs: 1 });
  thread.end({ nowMs: 5000, usedMs: 4000 });
  expect([thread.isResting(1, 5000), thread.isResting(2, 5000)]).toEqual([false, true]);
  const waiting = createMainThread();
  waiting.begin(1, { nowMs: 0, usedMs: 0 });
  waiting.end({ nowMs: 60_000, usedMs: 2 });
  expect(waiting.isResting(1, 60_000)).toBe(false);
});
