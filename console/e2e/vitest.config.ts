import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "../../scripts/long-files-first.ts";
import { fileTimesReporter } from "../../scripts/slow-files.ts";
import { findBrowserTestFiles } from "../../scripts/test-files.ts";
import { contractTables } from "../build/contract-tables.ts";
import { jobsReporter } from "./jobs-reporter.ts";

// Relative to the folder in which the command runs, not to this file.
const report = process.env.TEST_REPORT && resolve(process.env.TEST_REPORT);

const files = findBrowserTestFiles();

/** A test in a browser waits for half of its time. Long forms compare durations, so nothing runs beside them. */
const WORKERS = process.env.TEST_STRESS ? 1 : 2;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractTables()],
  test: {
    globalSetup: ["../../server/test/support/global-setup.ts", "./global-setup.ts"],
    setupFiles: ["../../server/test/support/password-cost.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // Three pages of one browser at most: with more, tests wait for the processor.
    maxConcurrency: 3,
    // Pages wait for the processor too.
    expect: { poll: { timeout: 20_000 } },
    retry: 0,
    sequence: { sequencer: LongFilesFirst },
    reporters: [
      "default",
      jobsReporter(),
      ...(report ? [["json", { outputFile: report }] as ["json", object], fileTimesReporter(report)] : []),
    ],
    projects: [
      { extends: true, test: { name: "on fixtures", include: files.onFixtures, maxWorkers: WORKERS, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: { name: "on the service", include: files.onService, isolate: false, maxWorkers: WORKERS, sequence: { groupOrder: 0 } },
      },
    ],
  },
});
