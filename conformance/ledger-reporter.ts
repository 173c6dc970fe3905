/** Compares a run with the ledger: prints the table, writes the report, and fails the run if a requirement is not covered. */
import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule, Vitest } from "vitest/node";
import { type Coverage, coverageOf, coverageTable, shortfall, type TestOutcome } from "./coverage.ts";
import { ledger } from "./ledger.ts";

export const ledgerReporter = (): Reporter => {
  let vitest: Vitest | undefined;
  let isWholeRun = true;
  return {
    onInit: (instance) => {
      vitest = instance;
    },
    onTestRunStart: async (specifications) => {
      const all = (await vitest?.globTestSpecifications()) ?? [];
      isWholeRun = specifications.length >= all.length && !vitest?.config.testNamePattern;
    },
    onTestRunEnd: (modules) => {
      const coverage = coverageOf(ledger, modules.flatMap(outcomesOf));
      const faults = shortfall(coverage);
      print(coverage, faults, isWholeRun);
      writeReport(coverage, faults, isWholeRun);
      // A run of a few files gives no verdict; its failing tests fail it anyway.
      const decisive = isWholeRun ? faults : coverage.unknownIds;
      if (decisive.length > 0) process.exitCode = 1;
    },
  };
};

const outcomesOf = (module: TestModule): TestOutcome[] =>
  [...module.children.allTests()].map((test) => ({ name: test.name, state: stateOf(test) }));

const stateOf = (test: TestCase): TestOutcome["state"] => {
  const { state } = test.result();
  return state === "pending" ? "skipped" : state;
};

const print = (coverage: Coverage, faults: readonly string[], isWholeRun: boolean): void => {
  const verdict = faults.length === 0 ? ["Every requirement that applies is held."] : faults;
  const lines = isWholeRun ? verdict : ["Only a part of the kit ran: no verdict on the ledger."];
  process.stdout.write(`\n${[...coverageTable(coverage), "", ...lines].join("\n")}\n\n`);
};

const writeReport = ({ entries, unknownIds }: Coverage, faults: readonly string[], isWholeRun: boolean): void => {
  const path = process.env.CONFORMANCE_REPORT;
  if (!path) return;
  const report = {
    finished_at: new Date().toISOString(),
    whole_run: isWholeRun,
    holds: isWholeRun && faults.length === 0,
    faults,
    unknown_ids: unknownIds,
    requirements: entries,
  };
  writeFileSync(path, `${JSON.stringify(report, null, 2)}\n`);
};
