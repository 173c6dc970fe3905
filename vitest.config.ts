import { defineConfig } from "vitest/config";
import { contractTables } from "./console/build/contract-tables.ts";

const report = process.env.TEST_REPORT;

/** They compare how long things take, so they run after all the others, one file at a time. */
const TIMED = ["noisy-neighbour", "overload-storm", "fairness", "door-budgets", "http-limits", "sign-in-flood"].map(
  (name) => `server/test/${name}.test.ts`,
);

export default defineConfig({
  plugins: [contractTables()],
  test: {
    globalSetup: ["server/test/global-setup.ts"],
    // Long enough for a machine that is busy with other things as well.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The suite runs on real servers; retries would hide the races it is there to find.
    retry: 0,
    reporters: ["default", ...(report ? [["json", { outputFile: report }] as ["json", object]] : [])],
    projects: [
      {
        extends: true,
        test: {
          name: "side by side",
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
          exclude: ["**/node_modules/**", ...TIMED],
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      { extends: true, test: { name: "one by one", include: TIMED, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
});
