import { minor } from "@comanda/contract/minor.ts";
import { expect, test } from "vitest";
import { changeOf, costOfLines, equalPart } from "./bill-parts.ts";

test("equal parts, each taken of what is still due, end at nothing and differ by one smallest unit", () => {
  for (const due of [1, 7, 100, 1000, 10_001])
    for (const count of [1, 2, 3, 7]) {
      let left = due;
      const parts = Array.from({ length: count }, (_, index) => {
        const part = equalPart(minor(left), count - index);
        left -= part;
        return part;
      });
      expect(left).toBe(0);
      expect(Math.max(...parts) - Math.min(...parts)).toBeLessThanOrEqual(1);
    }
});

test("chosen lines cost their shares, and never more than is due", () => {
  const lines = [10, 20, 30].map((share, index) => ({ order_id: "o", line_id: index, share_minor: minor(share), is_paid: false }));
  const chosen = new Set(["o 0", "o 2"]);
  expect(costOfLines({ lines, due_minor: minor(60) }, chosen)).toBe(40);
  expect(costOfLines({ lines, due_minor: minor(25) }, chosen)).toBe(25);
});

test("change is what was handed over without amount and tip; none while it is too little", () => {
  expect(changeOf(minor(5000), minor(4200), minor(300))).toBe(500);
  expect(changeOf(minor(4499), minor(4200), minor(300))).toBeNull();
});
