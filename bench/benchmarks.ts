/** Finds the benchmarks by reading their folder, so that a new one is found. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Benchmark } from "./benchmark.ts";

const FOLDER = import.meta.dirname;

/** The text of each file of the folder, by its name. */
export const benchFiles = (): Map<string, string> =>
  new Map(
    globSync("*.ts", { cwd: FOLDER })
      .sort()
      .map((name) => [name, readFileSync(join(FOLDER, name), "utf8")]),
  );

const SMOKE_FORM = /^export const BENCHMARK = defineBenchmark/m;
const RUN_BY_VITEST = /\.test\.ts$|^vitest\.config\.ts$/;

/** Programs that no other file uses, and files that npm runs, are benchmarks. Those of them without a smoke form. */
export const withoutSmokeForm = (files: ReadonlyMap<string, string>, scripts: Readonly<Record<string, string>>): string[] => {
  const run = Object.values(scripts).map((command) => /^node bench\/(\S+)/.exec(command)?.[1]);
  const isUsed = (name: string): boolean =>
    files.entries().some(([other, text]) => other !== name && (text.includes(`"./${name}"`) || text.includes(`"${name}"`)));
  const isBenchmark = (name: string): boolean => !RUN_BY_VITEST.test(name) && (run.includes(name) || !isUsed(name));
  return [...files].filter(([name, text]) => isBenchmark(name) && !SMOKE_FORM.test(text)).map(([name]) => name);
};

export const readBenchmarks = async (): Promise<Benchmark[]> => {
  const names = [...benchFiles()].filter(([, text]) => SMOKE_FORM.test(text)).map(([name]) => name);
  return Promise.all(names.map(async (name) => ((await import(join(FOLDER, name))) as { BENCHMARK: Benchmark }).BENCHMARK));
};
