import { expect, test } from "vitest";
import { weekOrder } from "./week-start.ts";

test("a week begins on the first day of the reader's country", () => {
  expect(weekOrder("en", ["de-DE", "en-GB"])).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(weekOrder("en", ["en-US", "en"])).toEqual([6, 0, 1, 2, 3, 4, 5]);
  expect(weekOrder("ar", ["en-GB"])).toEqual([5, 6, 0, 1, 2, 3, 4]);
});
