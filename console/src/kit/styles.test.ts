/** A style that depends on the whole page makes each change of a long page slow. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SOURCES = fileURLToPath(new URL("../", import.meta.url));

/** Outside of `@media print`, which is off while people work. */
const isWide = (line: string): boolean => /^(?:html|body|:root)[^,{]*:has\(/.test(line);

test("no style asks whether the page has something", () => {
  const files = globSync("**/*.css", { cwd: SOURCES });
  expect(files.length).toBeGreaterThan(20);
  const found = files.flatMap((file) =>
    readFileSync(SOURCES + file, "utf8")
      .split("\n")
      .filter(isWide),
  );
  expect(found).toEqual([]);
});
