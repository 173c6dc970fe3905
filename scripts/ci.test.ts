/** What forks run says the same as `.ci/run`: every step is in both files, and the shards of a step run each file once. */
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { findTestFiles } from "./test-files.ts";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

/** Names that begin a line of `.ci/run` and are functions of `.ci/steps.sh` that say a step; `install` and `build` precede the others everywhere. */
const stepsOf = (run: string, functions: string): string[] => {
  const steps = new Set([...functions.matchAll(/^(\w+)\(\) \{\n {2}say_step /gm)].map(([, name = ""]) => name));
  const called = [...run.matchAll(/^(\w+)\b/gm)].map(([, name = ""]) => name);
  return called.filter((name) => steps.has(name) && !["install", "build", "summary"].includes(name)).sort();
};

type ForkStep = { step: string; shards: string[] };

type GithubJob = { strategy?: { matrix: { shard: string[] } }; steps: { run?: string }[] };
type GitlabJob = { parallel?: number; script?: string };

const stepIn = (command = ""): string => /^\.ci\/step (\w+)/.exec(command)?.[1] ?? "";
const isSharded = (command = ""): boolean => command.includes("--shard=");

const githubSteps = (text: string): ForkStep[] => {
  const { jobs } = parse(text) as { jobs: Record<string, GithubJob> };
  return Object.values(jobs).flatMap(({ strategy, steps }) =>
    steps.filter(({ run }) => run).map(({ run }) => ({ step: stepIn(run), shards: isSharded(run) ? (strategy?.matrix.shard ?? []) : [] })),
  );
};

const gitlabSteps = (text: string): ForkStep[] => {
  const { default: _, ...jobs } = parse(text) as Record<string, GitlabJob>;
  return Object.values(jobs).map(({ parallel = 1, script }) => ({
    step: stepIn(script),
    shards: isSharded(script) ? Array.from({ length: parallel }, (_none, index) => `${index + 1}/${parallel}`) : [],
  }));
};

const FORKS = { ".github/workflows/ci.yml": githubSteps, ".gitlab-ci.yml": gitlabSteps };

const faultsOf = (wanted: readonly string[], steps: readonly ForkStep[]): string[] => {
  const names = steps.map(({ step }) => step).sort();
  const missing = wanted.filter((step) => !names.includes(step)).map((step) => `${step} is missing`);
  const others = names
    .filter((step, index) => !wanted.includes(step) || names.indexOf(step) !== index)
    .map((step) => `${step} is too much`);
  const parted = steps.filter(({ shards }) => shards.some((shard, index) => shard !== `${index + 1}/${shards.length}`));
  return [...missing, ...others, ...parted.map(({ step, shards }) => `${step} has the shards ${shards.join(", ")}`)];
};

const STEPS = stepsOf(read(".ci/run"), read(".ci/steps.sh"));

describe("the files for forks", () => {
  test("have every step of .ci/run once, and each shard once", () => {
    expect(STEPS).toEqual(["benchmarks", "browser", "check", "conformance", "tests"]);
    for (const [path, stepsIn] of Object.entries(FORKS)) expect(faultsOf(STEPS, stepsIn(read(path))), path).toEqual([]);
  });

  test("a step that is missing, a shard that is missing, and one that runs twice are found", () => {
    const text = read(".github/workflows/ci.yml");
    const faults = (from: string, to: string): string[] => faultsOf(STEPS, githubSteps(text.replace(from, to)));
    expect(faults(".ci/step conformance", "echo")).toContain("conformance is missing");
    expect(faults("[1/4, 2/4, 3/4, 4/4]", "[1/4, 2/4, 4/4]")).toEqual(["tests has the shards 1/4, 2/4, 4/4"]);
    expect(faults("[1/3, 2/3, 3/3]", "[1/3, 1/3, 3/3]")).toEqual(["browser has the shards 1/3, 1/3, 3/3"]);
    expect(faultsOf([...STEPS, "newer"], githubSteps(text))).toEqual(["newer is missing"]);
  });

  test("each step is one that .ci/step knows", () => {
    const step = read(".ci/step");
    for (const name of STEPS) expect(step, name).toMatch(new RegExp(`^ {2}(?:[\\w |]+ \\| )?${name}(?: \\|[\\w |]+)?\\)`, "m"));
  });

  test("none names a host or a folder of a machine", () => {
    for (const path of Object.keys(FORKS)) expect(read(path)).not.toMatch(/https?:|\w\.\w+\/\w+:|(?:^|\s)\/\w/m);
  });
});

const { shared, ownProcess, alone } = findTestFiles();

const SHARDED: { step: string; files: string[]; config: string }[] = [
  { step: "tests", files: [...shared, ...ownProcess, ...alone].sort(), config: "vitest.config.ts" },
  { step: "browser", files: globSync("console/e2e/*.test.ts", { cwd: ROOT }).sort(), config: "console/e2e/vitest.config.ts" },
];

/** In a process of its own, because Vitest runs this one. */
const partFiles = async (config: string, count: number): Promise<string[][]> => {
  const { VITEST: _, TEST_REPORT: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)("node", ["scripts/shards.ts", config, String(count)], {
    cwd: ROOT,
    env,
  });
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as string[][];
};

test.each(SHARDED)("the shards of $step together run each file once", async ({ step, files, config }) => {
  const { shards } = githubSteps(read(".github/workflows/ci.yml")).find((one) => one.step === step) as ForkStep;
  const parts = await partFiles(config, shards.length);
  expect(parts.every((part) => part.length > 0)).toBe(true);
  expect(parts.flat().sort()).toEqual(files);
});
