import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { contractTables } from "../console/build/contract-tables.ts";
import { fileTimesReporter } from "../scripts/slow-files.ts";

// Relative to the folder in which the command runs, not to this file.
const report = process.env.TEST_REPORT && resolve(process.env.TEST_REPORT);

// Servers that a benchmark starts read compiled modules from here, as in the tests of the service.
process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/node-compile");

/** The smoke forms of the benchmarks: one after the other, because they compare rates. */
export default defineConfig({
  plugins: [contractTables()],
  test: {
    // Servers are started from bundles.
    globalSetup: ["server/test/support/global-setup.ts"],
    include: ["bench/*.test.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: 0,
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    reporters: ["default", ...(report ? [["json", { outputFile: report }] as ["json", object], fileTimesReporter(report)] : [])],
  },
});
