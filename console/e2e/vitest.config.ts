import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { contractTables } from "../build/contract-tables.ts";
import { jobsReporter } from "./jobs-reporter.ts";

// Relative to the folder in which the command runs, not to this file.
const report = process.env.TEST_REPORT && resolve(process.env.TEST_REPORT);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractTables()],
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["../../server/test/support/global-setup.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // One browser at a time with two pages: with more, tests wait for the processor.
    maxWorkers: 1,
    maxConcurrency: 2,
    fileParallelism: false,
    retry: 0,
    reporters: ["default", jobsReporter(), ...(report ? [["json", { outputFile: report }] as ["json", object]] : [])],
  },
});
