/**
 * `npm run planted -- SEED`: runs the planted faults of ten modules, chosen by the seed, in the form that CI runs. It fails when the tests do not find
 * one of them, or when one of them did not run.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type StatedTest, statedTests } from "./test-names.ts";
import type { TestReport } from "./test-report.ts";

const ROOT = join(import.meta.dirname, "..");
const MODULES = 10;

/** A folder of the server is a module; a file of tests over all modules stands for itself. */
const moduleOf = (file: string): string => (/\/(test|e2e)\//.test(file) ? file : dirname(file));

/** A generator of numbers from 0 to 1 that repeats itself for a seed. */
const generator = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

export const choose = (tests: readonly StatedTest[], seed: number): StatedTest[] => {
  const planted = tests.filter(
    ({ file, name, isLongForm }) => /\bplanted\b/i.test(name) && !isLongForm && !/^(?:console\/e2e|bench)\//.test(file),
  );
  const modules = [...Map.groupBy(planted, ({ file }) => moduleOf(file)).values()];
  const random = generator(seed);
  const drawn = modules.map((ofModule) => ({ ofModule, draw: random() })).toSorted((a, b) => a.draw - b.draw);
  return drawn.slice(0, MODULES).map(({ ofModule }) => ofModule[Math.floor(random() * ofModule.length)] as StatedTest);
};

/** Parts that a test fills in match anything, and so does what stands between a group and its test. */
const patternOf = ({ name }: StatedTest): string =>
  name
    .split(/ > |…|%[sdifjoOc#$]|\$[\w.]+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");

const main = (seed: number): number => {
  const chosen = choose(statedTests(ROOT), seed);
  const folder = mkdtempSync(join(tmpdir(), "comanda-planted-"));
  try {
    const report = join(folder, "report.json");
    const args = ["run", ...new Set(chosen.map(({ file }) => file)), "-t", chosen.map(patternOf).join("|")];
    const { status } = spawnSync("vitest", args, { cwd: ROOT, stdio: "inherit", env: { ...process.env, TEST_REPORT: report } });
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as TestReport;
    const results = testResults.flatMap(({ assertionResults }) => assertionResults);
    const found = chosen.filter((test) =>
      results.some(({ fullName, status: is }) => is === "passed" && new RegExp(patternOf(test)).test(fullName)),
    );
    process.stdout.write(`\nseed ${seed}\n`);
    for (const test of chosen) process.stdout.write(`${found.includes(test) ? "found    " : "NOT FOUND"} ${test.file}: ${test.name}\n`);
    process.stdout.write(`${found.length} of ${chosen.length} planted faults found\n`);
    return status === 0 && found.length === MODULES ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 100_000);
  process.exitCode = Number.isInteger(seed) ? main(seed) : 1;
}
