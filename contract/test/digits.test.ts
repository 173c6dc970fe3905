import { expect, test } from "vitest";
import { latinDigits } from "../src/digits.ts";

test("Arabic and Persian digits become 0 to 9; everything else stays", () => {
  expect(latinDigits("٠١٢٣٤٥٦٧٨٩")).toBe("0123456789");
  expect(latinDigits("۰۱۲۳۴۵۶۷۸۹")).toBe("0123456789");
  expect(latinDigits("+٣٩ 06, علي")).toBe("+39 06, علي");
});
