import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { contractTables } from "./console/build/contract-tables.ts";
import { LongFilesFirst } from "./scripts/long-files-first.ts";
import { fileTimesReporter } from "./scripts/slow-files.ts";
import { findTestFiles } from "./scripts/test-files.ts";

const report = process.env.TEST_REPORT;
const files = findTestFiles();

// Workers, and the servers that tests start, read compiled modules from here: each start takes half the processor time.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/node-compile");

/** Tests wait a third of their time: for processes, for the database, for deadlines. */
const WORKERS = 3;

export default defineConfig({
  plugins: [contractTables()],
  test: {
    globalSetup: ["server/test/support/global-setup.ts"],
    setupFiles: ["server/test/support/password-cost.ts"],
    // Long enough for a machine that is busy with other things as well.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The suite runs on real servers; silent retries would hide the races it is there to find. CI repeats failed files, and names them.
    retry: 0,
    sequence: { sequencer: LongFilesFirst },
    passWithNoTests: false,
    reporters: ["default", ...(report ? [["json", { outputFile: report }] as ["json", object], fileTimesReporter(report)] : [])],
    // Where a file runs is decided by the markers in its first comment: see scripts/test-files.ts.
    projects: [
      {
        extends: true,
        test: { name: "own process", include: files.ownProcess, maxWorkers: WORKERS, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: { name: "shared process", include: files.shared, isolate: false, maxWorkers: WORKERS, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: "alone", include: files.alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
