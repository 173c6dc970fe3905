import { expect, test } from "vitest";
import { csvOf } from "./csv.ts";
import { addDays, daysOf, periodOf } from "./report-periods.ts";

test("JF-03 names cannot become formulas, and quotes, commas and lines stay in their cell", () => {
  expect(
    csvOf([
      ["Dish", "Portions"],
      ['=HYPERLINK("http://evil.example")', 3],
      ["@cmd", -4],
      ['Pane, "caldo"\nbuono', 1.5],
      ["+1", 0],
    ]),
  ).toBe('\uFEFFDish,Portions\r\n"\'=HYPERLINK(""http://evil.example"")",3\r\n\'@cmd,-4\r\n"Pane, ""caldo""\nbuono",1.5\r\n\'+1,0\r\n');
});

test("periods end today, over the ends of months and years and changes of the clock", () => {
  expect(periodOf("week", "2026-03-30")).toEqual({ from: "2026-03-24", to: "2026-03-30" });
  expect(periodOf("year", "2024-02-29")).toEqual({ from: "2023-03-02", to: "2024-02-29" });
  expect(daysOf({ from: "2025-12-30", to: "2026-01-02" })).toEqual(["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02"]);
  expect(addDays("2026-10-24", 2)).toBe("2026-10-26");
});
