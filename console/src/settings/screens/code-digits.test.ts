import { expect, test } from "vitest";
import { digitsOf, isWholePairingCode, readTypedCode } from "./code-digits.ts";

test.each([
  ["482913", "482913"],
  ["482 913", "482 913"],
  [" 482 913 ", "482 913"],
  ["48 29 13 7", "48 29 13"],
  ["٤٨٢ ٩١٣", "482 913"],
  ["۴۸۲۹۱۳", "482913"],
  ["48a2-9\u00a01", "4829 1"],
  ["", ""],
])("%j is shown as %j", (typed, shown) => {
  expect(readTypedCode(typed)).toBe(shown);
});

test("a code is whole with six digits", () => {
  expect([digitsOf("482 913"), isWholePairingCode("482 913"), isWholePairingCode("482 91")]).toEqual(["482913", true, false]);
});
