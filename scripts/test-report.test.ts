import { describe, expect, test } from "vitest";
import { failedFiles, mergeReports, type TestReport } from "./test-report.ts";

const file = (name: string, results: Record<string, string>): TestReport["testResults"][number] => ({
  name,
  status: Object.values(results).includes("failed") ? "failed" : "passed",
  assertionResults: Object.entries(results).map(([fullName, status]) => ({ fullName, status })),
});

const report = (...testResults: TestReport["testResults"]): TestReport => ({
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  testResults,
});

describe("files that are repeated", () => {
  const first = report(file("/a.test.ts", { one: "passed", two: "failed" }), file("/b.test.ts", { three: "passed", four: "skipped" }));

  test("a test that failed once is named, and counted as passed when its file passes the second time", () => {
    expect(failedFiles(first)).toEqual(["/a.test.ts"]);
    const merged = mergeReports(first, report(file("/a.test.ts", { one: "passed", two: "passed" })));
    expect(merged).toMatchObject({ numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, passedWhenRepeated: ["two"] });
  });

  test("a test that fails twice is named once it passes, with those that passed in the first repetition", () => {
    const two = report(file("/a.test.ts", { one: "failed" }), file("/b.test.ts", { three: "failed" }));
    const once = mergeReports(two, report(file("/a.test.ts", { one: "passed" }), file("/b.test.ts", { three: "failed" })));
    expect([failedFiles(once), once.passedWhenRepeated]).toEqual([["/b.test.ts"], ["one"]]);
    const twice = mergeReports(once, report(file("/b.test.ts", { three: "passed" })));
    expect([twice.numFailedTests, twice.passedWhenRepeated]).toEqual([0, ["one", "three"]]);
  });

  test("a test that fails again, or is not repeated, stays failed", () => {
    expect(mergeReports(first, report(file("/a.test.ts", { one: "passed", two: "failed" }))).numFailedTests).toBeGreaterThan(0);
    expect(mergeReports(first, report()).numFailedTests).toBeGreaterThan(0);
  });

  test("a file that failed before its first test is named by its path", () => {
    const broken = report({ name: "/c.test.ts", status: "failed", assertionResults: [] });
    expect(failedFiles(broken)).toEqual(["/c.test.ts"]);
    expect(mergeReports(broken, report(file("/c.test.ts", { five: "passed" }))).passedWhenRepeated).toEqual(["/c.test.ts"]);
  });
});
