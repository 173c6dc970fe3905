import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { ledgerReporter } from "./ledger-reporter.ts";

const report = process.env.TEST_REPORT;
const isRecording = process.env.CONFORMANCE_RECORD !== undefined;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  cacheDir: fileURLToPath(new URL("../node_modules/.vite/conformance", import.meta.url)),
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["./reach-target.ts"],
    reporters: ["default", ledgerReporter(), ...(report ? [["json", { outputFile: report }] as ["json", object]] : [])],
    // Tests wait for the network, not for a processor.
    // A recording runs one test at a time, so that two recordings have the same order.
    maxWorkers: isRecording ? 1 : 6,
    maxConcurrency: isRecording ? 1 : 10,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
