import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addDays } from "#kit/dates.ts";
import { csvOf } from "./csv.ts";
import { daysOf, periodOf } from "./report-periods.ts";

type WriteCsv = (rows: (string | number)[][]) => string;

/** As spreadsheet programs read a file: a cell that begins with a quotation mark is quoted, and what follows its end belongs to it. */
const cellsOf = (file: string, separator: string): string[] => {
  const cells: string[] = [];
  const text = file.replace(/^\uFEFF/, "");
  let [cell, isQuoted, isStart] = ["", false, true];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text.charAt(at + 1) === '"') cell += text.charAt(++at);
      else isQuoted = false;
    } else if (character === '"' && isStart) [isQuoted, isStart] = [true, false];
    else if (character === separator || character === "\r" || character === "\n") {
      cells.push(cell);
      [cell, isStart] = ["", true];
    } else [cell, isStart] = [cell + character, false];
  }
  return [...cells, cell];
};

const isFormula = (cell: string): boolean => /^[=+\-@]/.test(cell.normalize("NFKC").replace(/^[\s\p{Cc}\p{Cf}]+/u, ""));

const SIGNS = [..."=+-@＝＋－＠﹦﹢﹣﹫"];
const BEFORE = ["", " ", "\t", "\r", "\n", "\r\n", "\u00a0", "\u200b", "\ufeff", "\u0001", '"', '""'];
const HOSTILE = SIGNS.flatMap((sign) =>
  BEFORE.flatMap((before) => [
    `${before}${sign}cmd|' /C calc'!A0`,
    ...[";", ",", "\t", "\r\n", "\n"].map((separator) => `Pasta${separator}${before}${sign}1+1`),
    `a";${before}${sign}1`,
    `a"${before}${sign}1`,
  ]),
);

/** A program whose separator is a semicolon or a tab reads the quotation marks of the file in other places. */
const formulasOf = (write: WriteCsv): string[] =>
  HOSTILE.filter((text) =>
    [",", ";", "\t"].some((separator) =>
      [
        [text, 1],
        ["Dish", text],
        [text, text],
      ].some((row) => cellsOf(write([["Dish", "Portions"], row]), separator).some(isFormula)),
    ),
  );

const asWritten: WriteCsv = (rows) => rows.map((row) => row.join(",")).join("\r\n");
const quoted: WriteCsv = (rows) => rows.map((row) => row.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(",")).join("\r\n");
const startsMarked: WriteCsv = (rows) => quoted(rows.map((row) => row.map((cell) => String(cell).replace(/^[=+\-@\t\r]/, "'$&"))));

test("JF-03 no text becomes a formula, whatever separates the cells", () => {
  expect(formulasOf(csvOf)).toEqual([]);
});

test("every text is quoted and readable again, and numbers stay numbers", () => {
  const rows = [
    ["Dish", "Portions"],
    ['Pane, "caldo"\nbuono; -> fresco', -1.5],
  ];
  expect(csvOf(rows)).toBe('\uFEFF"Dish","Portions"\r\n"Pane, ""caldo""\nbuono; \'-> fresco",-1.5\r\n');
});

test("the example writes by the same rules, in its own file", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const rules = read("./csv.ts").match(/^const [A-Z_]+ = .*|^ {2}const text = .*|^ {2}return `".*/gm);
  expect(rules).toHaveLength(6);
  for (const rule of rules ?? []) expect(read("../../../examples/nightly-sales-export.ts")).toContain(rule);
});

test.each([
  ["as it is", asWritten],
  ["quoted", quoted],
  ["marked at its start", startsMarked],
])("planted: text %s is a formula somewhere", (_, write) => {
  expect(formulasOf(write)).not.toEqual([]);
});

test("periods end today, over the ends of months and years and changes of the clock", () => {
  expect(periodOf("week", "2026-03-30")).toEqual({ from: "2026-03-24", to: "2026-03-30" });
  expect(periodOf("year", "2024-02-29")).toEqual({ from: "2023-03-02", to: "2024-02-29" });
  expect(daysOf({ from: "2025-12-30", to: "2026-01-02" })).toEqual(["2025-12-30", "2025-12-31", "2026-01-01", "2026-01-02"]);
  expect(addDays("2026-10-24", 2)).toBe("2026-10-26");
});
