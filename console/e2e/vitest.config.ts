import { defineConfig } from "vitest/config";

export default defineConfig({
  root: import.meta.dirname,
  test: {
    include: ["**/*.test.ts"],
    globalSetup: ["../../server/test/global-setup.ts"],
    testTimeout: 90_000,
    hookTimeout: 120_000,
    // One browser at a time: it is the machine's cores that are tested otherwise.
    maxWorkers: 1,
    fileParallelism: false,
    retry: 0,
  },
});
