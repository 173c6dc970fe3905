/**
 * `npm run bench:growth -- --small FOLDER --large FOLDER`: what each request costs in a large database, compared with a small one.
 * One PostgreSQL and one API process for each; every call to one is followed by the same kind of call to the other, so that
 * whatever else the machine does falls on both. The folders are made by `npm run bench:grow -- --folder`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type GrownDataset, openDataset, type RequestCost } from "./growth/grown-dataset.ts";
import { showProgress } from "./growth/progress.ts";
import { SCENARIOS, type Scenario, YEAR_MAX, YEARS } from "./growth/scenarios.ts";
import { warm } from "./growth/warm.ts";
import { commitOf, type Figure, publish, quantile, say } from "./measure.ts";

const { values } = parseArgs({
  options: {
    small: { type: "string", default: ".comanda/grown-small" },
    large: { type: "string", default: ".comanda/grown-large" },
    rounds: { type: "string", default: "6" },
    calls: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
    cold: { type: "boolean", default: false },
    out: { type: "string", default: "bench/results/growth-rows.txt" },
  },
});
const ROUNDS = Number(values.rounds);
const CALLS = Number(values.calls);
const SEED = Number(values.seed);

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
    // Who comes first changes each time: the second finds the processor's caches colder.
    const pairs = [[small, one, times.small] as const, [large, other, times.large] as const];
    for (const [dataset, call, into] of index % 2 === 0 ? pairs : pairs.toReversed()) into.push((await dataset.send(call)).ms);
  }
  const after = { small: await small.cost(), large: await large.cost() };
  return { small: measured(times.small, before.small, after.small), large: measured(times.large, before.large, after.large) };
};

type GrowthRow = {
  scenario: string;
  ratio: number;
  quartiles: [number, number];
  bar: number | null;
  small_ms: number;
  large_ms: number;
  database_ratio: number;
  small_database_ms: number;
  large_database_ms: number;
  cpu_ratio: number;
  seed: number;
  command: string;
  commit: string;
};

const spread = (numbers: number[]): { ratio: number; quartiles: [number, number] } => ({
  ratio: round(median(numbers)),
  quartiles: [round(quantile(numbers, 0.25)), round(quantile(numbers, 0.75))],
});
const round = (number: number): number => Math.round(number * 1000) / 1000;

const COMMAND = `npm run bench:growth -- --rounds ${ROUNDS} --calls ${CALLS} --seed ${SEED}${values.cold ? " --cold" : ""}`;
const COMMIT = commitOf();

const rowOf = ({ name, ratioMax }: Scenario, rounds: RoundPair[]): GrowthRow => {
  const of = (size: keyof RoundPair, what: keyof GrowthRound): number => round(median(rounds.map((pair) => pair[size][what])));
  return {
    scenario: name,
    ...spread(rounds.map(({ small, large }) => large.ms / small.ms)),
    bar: ratioMax,
    small_ms: of("small", "ms"),
    large_ms: of("large", "ms"),
    database_ratio: round(median(rounds.map(({ small, large }) => large.execMs / small.execMs))),
    small_database_ms: of("small", "execMs"),
    large_database_ms: of("large", "execMs"),
    cpu_ratio: round(of("large", "cpuMs") / of("small", "cpuMs")),
    seed: SEED,
    command: COMMAND,
    commit: COMMIT,
  };
};

/** A year against a day, in the large database: both were called in the same rounds. */
const yearRow = ({ name, year, day }: (typeof YEARS)[number], all: Map<string, RoundPair[]>): GrowthRow[] => {
  const [long, short] = [all.get(year), all.get(day)];
  if (!long || !short) return [];
  const pairs = long.map(({ large }, index) => ({ small: short[index]?.large ?? large, large }));
  return [rowOf({ name, ratioMax: YEAR_MAX, prepare: async () => [] }, pairs)];
};

const figureOf = ({ scenario, ratio, quartiles: [low, high], bar, ...row }: GrowthRow): Figure => ({
  what: scenario,
  against: YEARS.some(({ name }) => name === scenario) ? "one day" : "the small database",
  ratio: { low, median: ratio, high },
  seen: `${row.small_ms.toFixed(2)} and ${row.large_ms.toFixed(2)} ms; in PostgreSQL ${row.small_database_ms.toFixed(2)} and ${row.large_database_ms.toFixed(2)} ms (${row.database_ratio.toFixed(2)})`,
  bar: bar === null ? null : { atMost: bar },
});

const print = (rows: GrowthRow[]): void => {
  say(`\n${"scenario".padEnd(48)} ratio  (quartiles)     bar    small      large      database: small      large  ratio`);
  for (const row of rows) {
    const isOver = row.bar !== null && row.ratio > row.bar;
    const ms = (number: number) => `${number.toFixed(2)} ms`.padStart(10);
    say(
      `${row.scenario.padEnd(48)} ${row.ratio.toFixed(2)}   (${row.quartiles.map((share) => share.toFixed(2)).join(", ")})   ${row.bar ?? "  "} ${ms(row.small_ms)} ${ms(row.large_ms)}  ${ms(row.small_database_ms)} ${ms(row.large_database_ms)}   ${row.database_ratio.toFixed(2)}${isOver ? "  OVER" : ""}`,
    );
  }
};

const run = async (): Promise<boolean> => {
  const scenarios = SCENARIOS.filter(({ name }) => name.includes(values.only));
  const small = await openDataset("small", values.small, SEED);
  const large = await openDataset("large", values.large, SEED);
  try {
    if (!values.cold) for (const dataset of [small, large]) say(await warm(dataset));
    const all = new Map<string, RoundPair[]>(scenarios.map(({ name }) => [name, []]));
    const progress = showProgress("rounds", (ROUNDS + 1) * scenarios.length);
    for (let number = 0; number <= ROUNDS; number++)
      for (const [index, scenario] of scenarios.entries()) {
        const pair = await runRound(scenario, small, large, number === 0 ? 20 : CALLS);
        // The first round parses, plans and opens connections.
        if (number > 0) all.get(scenario.name)?.push(pair);
        progress.at(number * scenarios.length + index + 1);
      }
    progress.end();
    const rows = [
      ...scenarios.map((scenario) => rowOf(scenario, all.get(scenario.name) ?? [])),
      ...YEARS.flatMap((years) => yearRow(years, all)),
    ];
    print(rows);
    mkdirSync("bench/results", { recursive: true });
    writeFileSync(values.out, `${JSON.stringify(rows, null, 2)}\n`);
    return publish("growth", COMMAND, rows.map(figureOf));
  } finally {
    await small.close();
    await large.close();
  }
};

process.exitCode = (await run()) ? 0 : 1;
