import { expect, test } from "vitest";
import { yearsAfter } from "./card-dates.ts";

test("years later it is the same day, and the last of February after a leap day", () => {
  expect(yearsAfter("2026-11-18", 3)).toBe("2029-11-18");
  expect(yearsAfter("2028-02-29", 1)).toBe("2029-02-28");
});
