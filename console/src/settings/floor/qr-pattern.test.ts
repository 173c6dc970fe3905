import { expect, test } from "vitest";
import { addressOfTable, leftOutOf, patternProblem, sheetsOf } from "./qr-pattern.ts";

const HERE = "https://comanda.example";

test("a pattern is an address of the web with a place for the code, and no address of the service, which has no page for guests", () => {
  const problems = (...patterns: string[]) => patterns.map((pattern) => patternProblem(pattern, HERE));
  expect(problems("https://nino.example/t/{code}", "http://192.168.1.2/{code}?a=1", "https://nino.example/?table={code}")).toEqual([
    null,
    null,
    null,
  ]);
  const wrong = ["", "{code}", "javascript:{code}", "ftp://nino.example/{code}", "https://nino.example/t", "https:// x/{code}"];
  expect(new Set(problems(...wrong))).toEqual(new Set(["wrong"]));
  expect(problems(`${HERE}/t/{code}`, "https://COMANDA.example:443/{code}")).toEqual(["ownService", "ownService"]);
});

test("the code is written as a part of an address", () => {
  expect(addressOfTable("https://a.example/{code}/{code}", "T 1/é")).toBe("https://a.example/T%201%2F%C3%A9/T%201%2F%C3%A9");
  expect(addressOfTable("https://a.example/{code}", "$&")).toBe("https://a.example/%24%26");
});

test("twelve on a sheet; tables without a code and those that are switched off are left out", () => {
  const tables = Array.from({ length: 30 }, (_, id) => ({ id, code: id % 2 === 0 || id > 10 ? `T${id}` : null, is_active: true }));
  expect(sheetsOf(tables).map((sheet) => sheet.length)).toEqual([12, 12, 1]);
  expect(
    sheetsOf([
      { code: null, is_active: true },
      { code: "T1", is_active: false },
    ]),
  ).toEqual([]);
  expect(leftOutOf(tables).length + sheetsOf(tables).flat().length).toBe(tables.length);
});
