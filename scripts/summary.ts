/** The last lines of CI: the slowest files, tests that passed only when repeated, and the tests of every report in a folder, added up. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type FileTime, judgeFiles, readShareOfOthers } from "./slow-files.ts";
import type { TestReport } from "./test-report.ts";

const folder = process.argv[2] ?? ".results";
const readAll = <T>(ending: string): T[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith(ending))
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as T);
const reports = readAll<TestReport>(".json");
const sum = (count: (report: TestReport) => number): number => reports.reduce((total, report) => total + count(report), 0);

const { lines, isTooSlow } = judgeFiles(readAll<FileTime[]>(".json.times").flat(), readShareOfOthers(join(folder, "processor-at-start")));
process.stdout.write(`${lines.join("\n")}\n`);

for (const name of reports.flatMap(({ passedWhenRepeated = [] }) => passedWhenRepeated))
  process.stdout.write(`passed only when repeated: ${name}\n`);
const [passed, failed, skipped] = [
  sum(({ numPassedTests }) => numPassedTests),
  sum(({ numFailedTests }) => numFailedTests) + (isTooSlow ? 1 : 0),
  sum(({ numPendingTests }) => numPendingTests),
];
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
