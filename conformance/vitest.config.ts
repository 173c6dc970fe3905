import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ledgerReporter } from "./ledger-reporter.ts";

const report = process.env.TEST_REPORT;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../node_modules/.vite/conformance", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./reach-target.ts"],
    reporters: ["default", ledgerReporter(), ...(report ? [["json", { outputFile: report }] as ["json", object]] : [])],
    // Tests wait for the network, not for a processor.
    maxWorkers: 6,
    maxConcurrency: 10,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
