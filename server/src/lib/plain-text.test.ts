import { expect, test } from "vitest";
import { escapedJson, plainLine, plainName, plainText, plainValues } from "./plain-text.ts";

const ESCAPE = "\u001b[31m";
const HIDDEN = "\u202e\u2066\u200b\u00ad\u3164\u115f\ufeff\u{e0041}\u{e0100}\u009b\u0007";

test("text keeps its lines and loses what a terminal would obey or a reader cannot see", () => {
  expect(plainText(`one\n\ttwo${ESCAPE}${HIDDEN}\r\nthree`)).toBe("one\n\ttwo[31m\nthree");
});

test("letters of every script, joiners and emoji stay", () => {
  const texts = ["Zoë O’Brien-Łukasz", "محمد‌علی", "क्‍ष", "李小龙", "👩‍🍳", "José"];
  for (const text of texts) expect(plainText(text)).toBe(text);
});

test("a line is one line of bounded length", () => {
  expect(plainLine(" a\r\n\r\nb\u2028c\td ", 20)).toBe("a b c d");
  expect(plainLine("x".repeat(100), 10)).toBe(`${"x".repeat(9)}…`);
  expect([...plainLine("👩".repeat(100), 10)]).toHaveLength(10);
});

test.each([
  ["Ada\r\n\r\nYour card is blocked: https://evil.example/pay", "Ada Your card is blocked: https: evil. example pay"],
  ["www.evil.example", "www. evil. example"],
  ["javascript:alert(1)", "javascript: alert(1)"],
  ["ada@evil.example", "ada evil. example"],
  ["evil。example", "evil。 example"],
  ["call +1 (900) 555-01-99 now", "call + now"],
  ["٠١٢٣٤٥٦٧٨٩", ""],
  ["J.R.R. Tolkien", "J. R. R. Tolkien"],
  ["Table 12, party of 4", "Table 12, party of 4"],
  ["n".repeat(500), `${"n".repeat(59)}…`],
])("a name brings no link, address or number to call: %j", (name, shown) => {
  expect(plainName(name)).toBe(shown);
});

test("every text of a JSON value is made plain; numbers, null and members stay", () => {
  expect(plainValues({ name: `a${HIDDEN}`, lines: [{ note: `b${ESCAPE}` }], total: 5, none: null })).toEqual({
    name: "a",
    lines: [{ note: "b[31m" }],
    total: 5,
    none: null,
  });
});

test("escaped JSON has the same value and nothing that a terminal obeys", () => {
  const value = { name: `x${HIDDEN}${ESCAPE}` };
  const json = escapedJson(JSON.stringify(value, null, 2));
  expect(JSON.parse(json)).toEqual(value);
  expect(plainText(json)).toBe(json);
});
