import { expect, test } from "vitest";
import { beginTiming } from "./timing-verdict.ts";

const machine = (stolen: number) => {
  const ticks = [
    { all: 0, stolen: 0 },
    { all: 100, stolen },
  ];
  return () => ticks.shift() ?? { all: 100, stolen };
};

const judged = (stolen: number, isInTime: boolean): string => {
  const skip = (note?: string | boolean): never => {
    throw new Error(`skipped: ${note}`);
  };
  try {
    beginTiming({ skip }, machine(stolen)).judge(() => {
      if (!isInTime) throw new Error("too slow");
    });
    return "passed";
  } catch (error) {
    return (error as Error).message;
  }
};

test("a duration above its limit fails a test, unless the host took the processor: then the test is skipped with the reason", () => {
  expect([judged(0, true), judged(50, true)]).toEqual(["passed", "passed"]);
  expect([judged(0, false), judged(10, false)]).toEqual(["too slow", "too slow"]);
  expect(judged(40, false)).toBe("skipped: the host took 40 % of the processor: too slow");
});
