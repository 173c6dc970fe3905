/** The last lines of CI: tests that passed only when repeated, and the tests of every report in a folder, added up. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TestReport } from "./test-report.ts";

const folder = process.argv[2] ?? ".results";
const reports = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as TestReport);
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);

for (const name of reports.flatMap(({ passedWhenRepeated = [] }) => passedWhenRepeated))
  process.stdout.write(`passed only when repeated: ${name}\n`);
const [passed, failed, skipped] = [
  sum(({ numPassedTests }) => numPassedTests),
  sum(({ numFailedTests }) => numFailedTests),
  sum(({ numPendingTests }) => numPendingTests),
];
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
