import { expect, test } from "vitest";
import { freshnessOf } from "./freshness.ts";

test("amber within 5 seconds without a beat, red within 15", () => {
  const state = (seconds: number) => freshnessOf({ silentMs: seconds * 1000, confirmedMs: seconds * 1000, copiedMs: undefined }).state;
  expect([0, 3.9, 4, 13.9, 14, 600].map(state)).toEqual(["current", "current", "late", "late", "lost", "lost"]);
});

test("beats do not help while the tickets cannot be read", () => {
  expect(freshnessOf({ silentMs: 1000, confirmedMs: 20_000, copiedMs: undefined })).toEqual({
    state: "lost",
    ageMs: 20_000,
    isPolled: false,
  });
});

test("tickets that are read without a stream are late, not missing", () => {
  expect(freshnessOf({ silentMs: 60_000, confirmedMs: 3000, copiedMs: undefined })).toEqual({
    state: "lost",
    ageMs: 60_000,
    isPolled: true,
  });
});

test("a kept kitchen is never current", () => {
  expect(freshnessOf({ silentMs: 0, confirmedMs: 0, copiedMs: 2000 })).toEqual({ state: "lost", ageMs: 2000, isPolled: false });
});
