/** Ends the run with the ledger of jobs: those whose tests passed, of all that are listed. */
import type { Reporter } from "vitest/node";
import { JOBS } from "./job-list.ts";

export const jobsReporter = (): Reporter => ({
  onTestRunEnd: (modules) => {
    const passed = new Set<string>();
    for (const module of modules)
      for (const test of module.children.allTests()) if (test.result().state === "passed") passed.add(test.name.slice(0, "JO-00".length));
    const open = Object.entries(JOBS).filter(([id]) => !passed.has(id));
    const count = Object.keys(JOBS).length;
    process.stdout.write(
      `\njobs held: ${count - open.length} of ${count}${open.map(([id, words]) => `\n  not held: ${id} ${words}`).join("")}\n`,
    );
  },
});
