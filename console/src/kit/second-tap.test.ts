import { expect, test } from "vitest";
import { isMisplacedTap } from "./second-tap.ts";

const tap = (x: number, y: number, detail = 1) => ({ clientX: x, clientY: y, detail });

test("a second tap on the same place that would act on something else is not taken", () => {
  expect(isMisplacedTap(tap(10, 10), "seat anna", 1000)).toBe(false);
  expect(isMisplacedTap(tap(12, 14), "seat bruno", 1450)).toBe(true);
  expect(isMisplacedTap(tap(12, 14), "seat bruno", 2500)).toBe(false);
});

test("another place, the same subject and keys are taken", () => {
  expect(isMisplacedTap(tap(10, 10), "arrive anna", 10_000)).toBe(false);
  expect(isMisplacedTap(tap(200, 10), "seat anna", 10_100)).toBe(false);
  expect(isMisplacedTap(tap(200, 10), "seat anna", 10_200)).toBe(false);
  expect(isMisplacedTap(tap(0, 0, 0), "leave anna", 10_300)).toBe(false);
});
