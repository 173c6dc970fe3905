/** The check of words finds each kind of planted fault. */
import { expect, test } from "vitest";
import { repeatedTestFiles, repeatedTypes, replacedWords } from "./vocabulary.ts";

const file = (path: string, text: string) => ({ path, text });

test("a replaced word is reported with its line and what to write instead", () => {
  const files = [file("a.ts", "const x = 1;\n// Whoever comes in."), file("b.md", "The product.")];
  expect(replacedWords(files)).toEqual(['a.ts:2 says "Whoever": name the caller, user, process or request']);
});

test("identifiers are found as well as prose", () => {
  const lines = [
    "claimLanes();",
    "select forget_events();",
    "const enterVenue = 1;",
    "type Visitor = string;",
    "createDoor();",
    "const personId = 1;",
    "sealedSecret",
  ];
  for (const line of lines) expect(replacedWords([file("a.ts", line)]), line).toHaveLength(1);
});

test("a phrase with another meaning is accepted", () => {
  for (const line of ["It makes room for others.", "a forgotten password"]) expect(replacedWords([file("a.md", line)]), line).toEqual([]);
});

test("a type name that two files declare is reported; a type beside its schema is not", () => {
  expect(repeatedTypes([file("a.ts", "export type Row = 1;"), file("b.tsx", "type Row = 2;")])).toHaveLength(1);
  expect(repeatedTypes([file("a.ts", "export const Row = 1;\nexport type Row = 2;")])).toEqual([]);
});

test("two test files of one name are reported", () => {
  expect(repeatedTestFiles([file("a/menu.test.ts", ""), file("b/menu.test.ts", "")])).toHaveLength(1);
});
