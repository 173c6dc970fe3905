import { expect, test } from "vitest";
import { nextAttemptDelaySeconds } from "./rules.ts";

test("R6.1-04 D177 tried again after 1 min, 5 min, 30 min, 2 h and 6 h, then given up", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(nextAttemptDelaySeconds)).toEqual([60, 300, 1800, 7200, 21_600, null, null]);
});
