/** The check of comments finds each way in which a fragment opens one. */
import { expect, test } from "vitest";
import { fragmentComments } from "./comment-openings.ts";

const faultsIn = (path: string, text: string): string[] => fragmentComments([{ path, text }]);

const FRAGMENT = "The same with a key.";

test.each([
  ["a block", "a.ts", `const x = 1;\n/** ${FRAGMENT} */`],
  ["a block whose text begins in its second line", "a.ts", `const x = 1;\n/**\n * ${FRAGMENT}\n */`],
  ["a line", "a.ts", `const x = 1;\n  // ${FRAGMENT}`],
  ["the end of a line", "a.ts", `const x = 1;\nconst y = 2; // ${FRAGMENT}`],
  ["a style sheet", "a.css", `a {}\n/* ${FRAGMENT} */`],
  ["a migration", "a.sql", `select 1;\n-- ${FRAGMENT}`],
])("planted: a fragment that opens %s is reported with its line", (_, path, text) => {
  expect(faultsIn(path, text)).toEqual([expect.stringMatching(`^${path}:2 opens a comment with a fragment: `)]);
});

test.each([
  ["a sentence", "a.ts", "/** Forms are sent once. */\n// Totals are sums."],
  ["the second line of a comment", "a.ts", `// The page is read\n// by a screen.\n// ${FRAGMENT}`],
  ["an address", "a.ts", 'const url = "https://For.example";'],
  ["a document", "a.md", "For a write."],
])("%s is accepted", (_, path, text) => {
  expect(faultsIn(path, text)).toEqual([]);
});
