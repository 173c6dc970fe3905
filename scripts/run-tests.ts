/**
 * `node scripts/run-tests.ts REPORT COMMAND…`: runs the tests, and files that failed once more, alone. A test that depends on the pace of the
 * machine passes then; a fault fails again. Every test that passed only the second time is named in the report and at the end of CI.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { failedFiles, mergeReports, type TestReport } from "./test-report.ts";

/** More failed files than this are no matter of pace. When a shared machine stood still for some seconds, 17 had failed together. */
const REPEATED_FILES_MAX = 24;

const [report = "", ...command] = process.argv.slice(2);

const runTests = (path: string, files: string[]): boolean => {
  const [name = "", ...args] = command;
  const { status } = spawnSync(name, [...args, ...files], { stdio: "inherit", env: { ...process.env, TEST_REPORT: path } });
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

const repeatFailed = (): boolean => {
  const first = readReport(report);
  const failed = first ? failedFiles(first) : [];
  if (!first || failed.length === 0 || failed.length > REPEATED_FILES_MAX) return false;
  const files = failed.map((file) => relative(process.cwd(), file));
  process.stdout.write(`\nOnce more, alone: ${files.join(" ")}\n`);
  const path = report.replace(/\.json$/, ".repeated");
  if (!runTests(path, files)) return false;
  const second = readReport(path);
  if (!second) return false;
  writeFileSync(report, JSON.stringify(mergeReports(first, second)));
  return true;
};

process.exit(runTests(report, []) || repeatFailed() ? 0 : 1);
