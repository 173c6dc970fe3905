/**
 * `npm run guarantees`: counts what the tests guarantee, from their files: requirements and decisions named by tests, jobs, planted faults, tests.
 * `-- --since REVISION` compares with an earlier commit and names what is gone; `-- --check` fails below the floor in `guarantees.json`;
 * `-- --record` writes the floor.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StatedTest, statedTests } from "./test-names.ts";

const ROOT = join(import.meta.dirname, "..");
const FLOOR = join(import.meta.dirname, "guarantees.json");

/** Requirements such as `R4.1-09`, targets such as `T6.2`, decisions such as `D98`. */
const REQUIREMENT = /\b(?:R[X\d][\d.]*-\d+|R\d+\.\d+|T\d+\.\d+|D\d{2,})\b/g;
const JOB = /\bJ[A-Z]-\d\d\b/g;

type Kind = "requirements" | "jobs" | "planted faults" | "tests";
type Guaranteed = Record<Kind, { all: string[]; inCi: Set<string>; count: number }>;

const idsOf = (tests: StatedTest[], pattern: RegExp): string[] =>
  [...new Set(tests.flatMap(({ name }) => name.match(pattern) ?? []))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));

const sum = (tests: StatedTest[]): number => tests.reduce((total, { times }) => total + times, 0);

export const guaranteedBy = (tests: StatedTest[]): Guaranteed => {
  const inCi = tests.filter(({ isLongForm }) => !isLongForm);
  const ids = (pattern: RegExp) => {
    const all = idsOf(tests, pattern);
    return { all, inCi: new Set(idsOf(inCi, pattern)), count: all.length };
  };
  const named = (wanted: (test: StatedTest) => boolean) => ({
    all: tests.filter(wanted).map(({ name }) => name),
    inCi: new Set(inCi.filter(wanted).map(({ name }) => name)),
    count: sum(tests.filter(wanted)),
  });
  return {
    requirements: ids(REQUIREMENT),
    jobs: ids(JOB),
    "planted faults": named(({ name }) => /\bplanted\b/i.test(name)),
    tests: named(() => true),
  };
};

/** What the first has and the second has not. A test that got another name is named here too. */
export const goneFrom = (before: Guaranteed, after: Guaranteed): string[] =>
  (Object.keys(before) as Kind[]).flatMap((kind) => {
    const left = new Set(after[kind].all);
    return before[kind].all.filter((name) => !left.has(name)).map((name) => `${kind}: ${name}`);
  });

const atRevision = (revision: string): StatedTest[] => {
  const folder = mkdtempSync(join(tmpdir(), "comanda-guarantees-"));
  try {
    mkdirSync(folder, { recursive: true });
    const archive = execFileSync("git", ["archive", revision], { cwd: ROOT, maxBuffer: 2 ** 30 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return statedTests(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const line = (kind: Kind, { all, inCi, count }: Guaranteed[Kind]): string => {
  const long = all.filter((name) => !inCi.has(name)).length;
  return `${kind}: ${count}${long > 0 ? `, ${long} of them in the long form only` : ""}`;
};

type Floor = { requirements: string[]; jobs: string[]; "planted faults": number; tests: number };
const floorOf = (guaranteed: Guaranteed): Floor => ({
  requirements: guaranteed.requirements.all,
  jobs: guaranteed.jobs.all,
  "planted faults": guaranteed["planted faults"].count,
  tests: guaranteed.tests.count,
});

/** What is missing of the floor. */
export const below = (floor: Floor, guaranteed: Guaranteed): string[] => [
  ...(["requirements", "jobs"] as const).flatMap((kind) => {
    const left = new Set(guaranteed[kind].all);
    return floor[kind].filter((id) => !left.has(id)).map((id) => `No test names ${id}.`);
  }),
  ...(["planted faults", "tests"] as const)
    .filter((kind) => guaranteed[kind].count < floor[kind])
    .map((kind) => `The tests state ${guaranteed[kind].count} ${kind}, not ${floor[kind]}.`),
];

const main = (args: string[]): void => {
  const now = guaranteedBy(statedTests(ROOT));
  for (const kind of Object.keys(now) as Kind[]) process.stdout.write(`${line(kind, now[kind])}\n`);
  const since = args[args.indexOf("--since") + 1];
  if (args.includes("--since") && since) {
    const before = guaranteedBy(atRevision(since));
    process.stdout.write(`\nat ${since}\n`);
    for (const kind of Object.keys(before) as Kind[]) process.stdout.write(`${line(kind, before[kind])}\n`);
    for (const gone of goneFrom(before, now)) process.stdout.write(`gone: ${gone}\n`);
  }
  if (args.includes("--record")) writeFileSync(FLOOR, `${JSON.stringify(floorOf(now), null, 2)}\n`);
  if (!args.includes("--check")) return;
  const missing = below(JSON.parse(readFileSync(FLOOR, "utf8")) as Floor, now);
  for (const fault of missing) process.stdout.write(`${fault}\n`);
  if (missing.length > 0)
    process.stdout.write("Restore the test; or, where less is meant to be guaranteed, `npm run guarantees -- --record`.\n");
  process.exitCode = missing.length > 0 ? 1 : 0;
};

if (import.meta.main) main(process.argv.slice(2));
