/**
 * `npm run bench:growth -- --small FOLDER --large FOLDER`: what each request costs in a large database, compared with a small one.
 * One PostgreSQL and one API process for each; every call to one is followed by the same kind of call to the other, so that
 * whatever else the machine does falls on both. The folders are made by `npm run bench:grow -- --folder`.
 */
import { parseArgs } from "node:util";
import { defineBenchmark } from "./benchmark.ts";
import type { Ground } from "./ground.ts";
import { openFolder } from "./growth/database.ts";
import { type GrownDataset, openDataset, type RequestCost } from "./growth/grown-dataset.ts";
import { showProgress } from "./growth/progress.ts";
import { type GrowthBar, SCENARIOS, type Scenario, YEARS } from "./growth/scenarios.ts";
import { warm } from "./growth/warm.ts";
import { type Figure, figureOf, publish, quantile, say } from "./measure.ts";

const median = (numbers: readonly number[]): number => quantile(numbers, 0.5);

type GrowthRound = { ms: number; execMs: number; cpuMs: number };
type RoundPair = { small: GrowthRound; large: GrowthRound };

/** A process logs its requests a moment after it answers, so this cost falls partly on the next round: for both databases alike. */
const measured = (times: number[], before: RequestCost, after: RequestCost): GrowthRound => ({
  ms: median(times),
  execMs: (after.execMs - before.execMs) / times.length,
  cpuMs: (after.cpuMs - before.cpuMs) / times.length,
});

const runRound = async (scenario: Scenario, small: GrownDataset, large: GrownDataset, count: number): Promise<RoundPair> => {
  const calls = { small: await scenario.prepare(small, count), large: await scenario.prepare(large, count) };
  const length = Math.min(calls.small.length, calls.large.length);
  const times: { small: number[]; large: number[] } = { small: [], large: [] };
  const before = { small: await small.cost(), large: await large.cost() };
  for (let index = 0; index < length; index++) {
    const [one, other] = [calls.small[index], calls.large[index]];
    if (!one || !other) break;
    // The order changes each time: the second contestant finds the processor's caches colder.
    const pairs = [[small, one, times.small] as const, [large, other, times.large] as const];
    for (const [dataset, call, into] of index % 2 === 0 ? pairs : pairs.toReversed()) into.push((await dataset.send(call)).ms);
  }
  const after = { small: await small.cost(), large: await large.cost() };
  return { small: measured(times.small, before.small, after.small), large: measured(times.large, before.large, after.large) };
};

type GrowthRow = { scenario: string; bar: GrowthBar; rounds: RoundPair[] };

const of = (rounds: readonly RoundPair[], size: keyof RoundPair, what: keyof GrowthRound): number =>
  median(rounds.map((pair) => pair[size][what]));

/** A year against a day, in the large database: both were called in the same rounds. */
const yearRow = ({ name, year, day }: (typeof YEARS)[number], all: Map<string, RoundPair[]>): GrowthRow[] => {
  const [long, short] = [all.get(year), all.get(day)];
  if (!long || !short) return [];
  const rounds = long.map(({ large }, index) => ({ small: short[index]?.large ?? large, large }));
  return [{ scenario: name, bar: "growth year", rounds }];
};

const figureOfRow = ({ scenario, bar, rounds }: GrowthRow): Figure => {
  const ms = (what: keyof GrowthRound): string => `${of(rounds, "small", what).toFixed(2)} and ${of(rounds, "large", what).toFixed(2)} ms`;
  const inDatabase = median(rounds.map(({ small, large }) => large.execMs / small.execMs));
  return figureOf(
    bar,
    scenario,
    rounds.map(({ small, large }) => large.ms / small.ms),
    `${ms("ms")}; in PostgreSQL ${ms("execMs")} (${inDatabase.toFixed(2)}); processor ${ms("cpuMs")}`,
  );
};

type GrowthSize = { rounds: number; calls: number; only: string };

const measure = async (small: GrownDataset, large: GrownDataset, { rounds, calls, only }: GrowthSize): Promise<Figure[]> => {
  const scenarios = SCENARIOS.filter(({ name }) => name.includes(only));
  const all = new Map<string, RoundPair[]>(scenarios.map(({ name }) => [name, []]));
  const progress = showProgress("rounds", (rounds + 1) * scenarios.length);
  for (let number = 0; number <= rounds; number++)
    for (const [index, scenario] of scenarios.entries()) {
      const pair = await runRound(scenario, small, large, number === 0 ? Math.min(20, calls) : calls);
      // The first round parses, plans and opens connections.
      if (number > 0) all.get(scenario.name)?.push(pair);
      progress.at(number * scenarios.length + index + 1);
    }
  progress.end();
  return [
    ...scenarios.map(({ name, bar }) => ({ scenario: name, bar, rounds: all.get(name) ?? [] })),
    ...YEARS.flatMap((years) => yearRow(years, all)),
  ].map(figureOfRow);
};

const run = async (): Promise<boolean> => {
  const { values } = parseArgs({
    options: {
      small: { type: "string", default: ".comanda/grown-small" },
      large: { type: "string", default: ".comanda/grown-large" },
      rounds: { type: "string", default: "6" },
      calls: { type: "string", default: "150" },
      seed: { type: "string", default: "1" },
      only: { type: "string", default: "" },
      cold: { type: "boolean", default: false },
    },
  });
  const { rounds, calls, seed, only, cold } = values;
  const small = await openDataset("small", await openFolder(values.small, "serving"), Number(seed));
  const large = await openDataset("large", await openFolder(values.large, "serving"), Number(seed));
  try {
    if (!cold) for (const dataset of [small, large]) say(await warm(dataset));
    const figures = await measure(small, large, { rounds: Number(rounds), calls: Number(calls), only });
    const command = `npm run bench:growth -- --rounds ${rounds} --calls ${calls} --seed ${seed}${cold ? " --cold" : ""}`;
    return publish("growth", command, figures);
  } finally {
    await small.close();
    await large.close();
  }
};

type GrowthStage = { small: GrownDataset; large: GrownDataset; close(): Promise<void> };

/** One grown database, asked through two processes: the two cost the same. */
const openTwice = async (ground: Ground): Promise<GrowthStage> => {
  const { database, scale } = await ground.grown();
  const databaseUrl = Object.assign(new URL(database.adminUrl), { pathname: `/${database.name}` }).href;
  const open = (name: string) => openDataset(name, { databaseUrl, pid: 0, stop: async () => undefined }, scale.seed);
  const [small, large] = [await open("small"), await open("large")];
  const close = async (): Promise<void> => {
    await small.close();
    await large.close();
  };
  return { small, large, close };
};

export const BENCHMARK = defineBenchmark<GrowthStage>({
  name: "growth",
  command: "npm run bench:growth",
  size: { rounds: 6, calls: 150 },
  open: openTwice,
  scenarios: { requests: ({ small, large }, { rounds, calls }) => measure(small, large, { rounds, calls, only: "" }) },
});

if (import.meta.main) process.exitCode = (await run()) ? 0 : 1;
