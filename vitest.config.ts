import { defineConfig } from "vitest/config";
import { contractTables } from "./console/build/contract-tables.ts";

const report = process.env.TEST_REPORT;

export default defineConfig({
  plugins: [contractTables()],
  test: {
    include: [
      "contract/**/*.test.ts",
      "server/**/*.test.ts",
      "console/src/**/*.test.ts",
      "scripts/**/*.test.ts",
      "sdk/test/**/*.test.ts",
      "examples/*.test.ts",
      "docs/test/**/*.test.ts",
      "deploy/*.test.ts",
    ],
    globalSetup: ["server/test/global-setup.ts"],
    // Long enough for a machine that is busy with other things as well.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // The suite runs on real servers; retries would hide the races it is there to find.
    retry: 0,
    reporters: ["default", ...(report ? [["json", { outputFile: report }] as ["json", object]] : [])],
  },
});
