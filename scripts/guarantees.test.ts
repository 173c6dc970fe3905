import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { below, goneFrom, guaranteedBy } from "./guarantees.ts";
import { statedTests } from "./test-names.ts";

const root = mkdtempSync(join(tmpdir(), "comanda-guarantees-test-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const stated = (...lines: string[]) => {
  mkdirSync(join(root, "server"), { recursive: true });
  writeFileSync(join(root, "server/a.test.ts"), ['import { describe, test } from "vitest";', ...lines].join("\n"));
  return guaranteedBy(statedTests(root));
};
const before = stated(
  'describe("paging", () => {',
  '  test("R4.1-09 T6.2 one page", () => {});',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a test file.
  "  test.each([1, 2, 3] as const)(`D98 planted: ${1} rounds`, () => {});",
  "});",
  'test.runIf(process.env.TEST_STRESS)("planted: without the lock", () => {});',
  'job("JF-01", async () => {});',
);

test("requirements, jobs, planted faults and tests are counted, and those of the long form alone", () => {
  expect(before.requirements.all).toEqual(["D98", "R4.1-09", "T6.2"]);
  expect([before.jobs.all, before["planted faults"].count, before.tests.count]).toEqual([["JF-01"], 4, 6]);
  expect(before.tests.all.filter((name) => !before.tests.inCi.has(name))).toEqual(["planted: without the lock"]);
});

test("planted: a test that is gone is named, by its requirement and by its name", () => {
  const after = stated('test("R4.1-09 one page", () => {});', 'job("JF-01", async () => {});');
  expect(goneFrom(before, after)).toContain("requirements: D98");
  expect(goneFrom(before, after)).toContain("planted faults: planted: without the lock");
  const floor = { requirements: before.requirements.all, jobs: before.jobs.all, "planted faults": 4, tests: 6 };
  expect(below(floor, before)).toEqual([]);
  expect(below(floor, after)).toEqual([
    "No test names D98.",
    "No test names T6.2.",
    "The tests state 0 planted faults, not 4.",
    "The tests state 2 tests, not 6.",
  ]);
});
