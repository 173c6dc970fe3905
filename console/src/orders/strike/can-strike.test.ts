import { expect, test } from "vitest";
import { canStrike, isLastLeft } from "./can-strike.ts";

type Lines = Parameters<typeof isLastLeft>[0]["items"];
const open = (...voided: boolean[]) => ({ status: "accepted" as const, items: voided.map((isVoided) => ({ voided: isVoided })) as Lines });

test("the sentence about the last line is for orders that had more lines", () => {
  expect([open(false), open(false, true), open(false, false)].map(isLastLeft)).toEqual([false, true, false]);
  expect([open(false), open(false, true), open(false, false)].map(canStrike)).toEqual([false, false, true]);
  expect(isLastLeft({ ...open(false, true), status: "completed" })).toBe(false);
});
