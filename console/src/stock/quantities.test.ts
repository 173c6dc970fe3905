import { expect, test } from "vitest";
import { difference, readQuantity, typeKey } from "./quantities.ts";

test("a quantity has at most three decimals, with a point, a comma or the Arabic separator", () => {
  expect(["4.75", "4,75", "٤٫٧٥", "0", "12.", ".5"].map(readQuantity)).toEqual([4.75, 4.75, 4.75, 0, 12, 0.5]);
  expect(["", ".", "1.2345", "-1", "a", "1000001"].map(readQuantity)).toEqual([null, null, null, null, null, null]);
});

test("keys make a quantity and refuse what would be none", () => {
  const typed = (keys: (string | null)[]): string => keys.reduce<string>(typeKey, "");
  expect(typed(["4", ".", "7", "5"])).toBe("4.75");
  expect(typed([".", "5"])).toBe("0.5");
  expect(typed(["1", ".", ".", "2", "3", "4", "5"])).toBe("1.234");
  expect(typed(["1", "2", null])).toBe("1");
});

test("a difference has no error of binary fractions", () => {
  expect(difference(0.3, 0.1)).toBe(0.2);
});
