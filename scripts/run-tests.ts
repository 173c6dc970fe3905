/**
 * `node scripts/run-tests.ts REPORT COMMAND…`: runs the tests, and files that failed again, without the others, up to twice. A test that
 * depends on the pace of the machine passes then; most faults fail each time. Every test that passed only when repeated is named in the report and at the end of CI.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { errorsPath } from "./slow-files.ts";
import { failedFiles, mergeReports, type TestReport } from "./test-report.ts";

/** More failed files than this are no matter of pace. When a shared machine stood still for some seconds, 17 had failed together. */
const REPEATED_FILES_MAX = 24;

const [report = "", ...command] = process.argv.slice(2);

const runTests = (path: string, files: string[]): boolean => {
  const [name = "", ...args] = command;
  // The files to repeat are those of this shard, which would be parted again.
  const wanted = files.length > 0 ? [...args.filter((arg) => !arg.startsWith("--shard")), ...files] : args;
  rmSync(errorsPath(path), { force: true });
  const { status } = spawnSync(name, wanted, { stdio: "inherit", env: { ...process.env, TEST_REPORT: path } });
  // A repetition of files that failed would not show what happened outside of them.
  if (existsSync(errorsPath(path))) throw new Error(`Errors outside of tests: ${readFileSync(errorsPath(path), "utf8")}`);
  return status === 0;
};

/** Null when the run ended before it wrote its report. */
const readReport = (path: string): TestReport | null => {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as TestReport;
  } catch {
    return null;
  }
};

/** The machine can stand still during the first repetition too. A fault fails all three times. */
const REPETITIONS_MAX = 2;

const repeatFailed = (before: TestReport, repetition: number): boolean => {
  const failed = failedFiles(before);
  if (failed.length === 0 || failed.length > REPEATED_FILES_MAX || repetition > REPETITIONS_MAX) return false;
  const files = failed.map((file) => relative(process.cwd(), file));
  process.stdout.write(`\nRepetition ${repetition} of ${REPETITIONS_MAX}: ${files.join(" ")}\n`);
  const path = report.replace(/\.json$/, `.repeated-${repetition}`);
  const hasPassed = runTests(path, files);
  const repeated = readReport(path);
  if (!repeated) return false;
  const merged = mergeReports(before, repeated);
  writeFileSync(report, JSON.stringify(merged));
  return hasPassed || repeatFailed(merged, repetition + 1);
};

const repeatIfReported = (): boolean => {
  const first = readReport(report);
  return first !== null && repeatFailed(first, 1);
};

const hasPassed = runTests(report, []);
const isReported = (readReport(report)?.numPassedTests ?? 0) > 0;
process.exit(isReported && (hasPassed || repeatIfReported()) ? 0 : 1);
