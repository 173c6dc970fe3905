import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { contractTables } from "../build/contract-tables.ts";

// From the folder where the command was given, not from here.
const report = process.env.TEST_REPORT && resolve(process.env.TEST_REPORT);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [contractTables()],
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["../../server/test/global-setup.ts"],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // One browser at a time, and two pages in it: it is the machine's cores that are tested otherwise.
    maxWorkers: 1,
    maxConcurrency: 2,
    fileParallelism: false,
    retry: 0,
    reporters: ["default", ...(report ? [["json", { outputFile: report }] as ["json", object]] : [])],
  },
});
