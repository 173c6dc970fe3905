import { expect, test } from "vitest";
import { latenessOf } from "./lateness.ts";

const NOW = Date.parse("2026-11-14T19:00:00Z");

test.each([
  ["2026-11-14T19:30:00Z", "later", 30],
  ["2026-11-14T19:05:59Z", "soon", 5],
  ["2026-11-14T19:01:00Z", "soon", 1],
  ["2026-11-14T19:00:59Z", "now", 0],
  ["2026-11-14T18:59:00Z", "now", 0],
  ["2026-11-14T18:58:59Z", "late", 1],
  ["2026-11-14T18:52:30Z", "late", 7],
])("at 19:00, an order promised for %s is %s by %i minutes", (promisedAt, kind, minutes) => {
  expect(latenessOf(promisedAt, NOW)).toEqual({ kind, minutes });
});
