import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ageOf, stampNow } from "./stamps.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("time passes while the clock of the device is set back", () => {
  const stamp = stampNow();
  vi.advanceTimersByTime(20_000);
  vi.setSystemTime(Date.now() - 3_600_000);
  expect(ageOf(stamp)).toBe(20_000);
});

test("time passes while the device sleeps and its steady counter stands still", () => {
  const stamp = stampNow();
  vi.setSystemTime(Date.now() + 3_600_000);
  expect(ageOf(stamp)).toBe(3_600_000);
});
