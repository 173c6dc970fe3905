/** The last line of CI: the tests of every report in a folder, added up. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

type TestRunReport = { numPassedTests: number; numFailedTests: number; numPendingTests: number };

const folder = process.argv[2] ?? ".results";
const total = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8")) as TestRunReport;
  total.passed += report.numPassedTests;
  total.failed += report.numFailedTests;
  total.skipped += report.numPendingTests;
}
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);
