/** Rounds, medians and spread; what was seen as a table for people and as JSON for the page of figures. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { BARS, type BarName, type RatioBar } from "./bars.ts";

export const say = (text: string): void => void process.stdout.write(`${text}\n`);

export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)] ?? Number.NaN, sorted[Math.ceil(place)] ?? Number.NaN];
  return below + (above - below) * (place % 1);
};

export type Spread = { low: number; median: number; high: number };

export const spreadOf = (values: readonly number[]): Spread => ({
  low: quantile(values, 0.25),
  median: quantile(values, 0.5),
  high: quantile(values, 0.75),
});

export const written = ({ low, median, high }: Spread, digits: number): string =>
  `${median.toFixed(digits)} (quartiles ${low.toFixed(digits)} and ${high.toFixed(digits)})`;

/** One line of the page of figures. */
export type Figure = {
  name: BarName;
  what: string;
  against: string;
  ratio: Spread;
  /** The ratio of each round. */
  rounds: number[];
  seen: string;
  bar: RatioBar;
};

/** What was measured, held against its bar. A round without a ratio has measured nothing. */
export const figureOf = (name: BarName, what: string, rounds: number[], seen: string): Figure => {
  if (rounds.length === 0 || !rounds.every((ratio) => Number.isFinite(ratio) && ratio > 0))
    throw new Error(`${what} measured nothing: its ratios are ${rounds.join(", ")}`);
  const { against, bar } = BARS[name];
  return { name, what, against, ratio: spreadOf(rounds), rounds, seen, bar };
};

const reaches = (ratio: number, bar: RatioBar, share: number): boolean =>
  bar === null || ("atLeast" in bar ? ratio >= bar.atLeast * share : ratio <= bar.atMost / share);

export const holds = ({ ratio, bar }: Pick<Figure, "ratio" | "bar">): boolean => reaches(ratio.median, bar, 1);

/** Judges windows of a fraction of a second: a fault keeps every round below half of the bar, a busy machine some. */
export const holdsInShort = ({ rounds, bar }: Pick<Figure, "rounds" | "bar">): boolean => rounds.some((ratio) => reaches(ratio, bar, 0.5));

const barOf = ({ bar }: Figure): string => {
  if (bar === null) return "";
  return "atLeast" in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
};

/** Every contestant in every round, one after the other, so that whatever else the machine does falls on all of them. */
export const takeTurns = async <Name extends string>(
  rounds: number,
  contestants: Record<Name, () => Promise<number>>,
): Promise<Record<Name, number[]>> => {
  const names = Object.keys(contestants) as Name[];
  const seen = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round++) {
    const line: string[] = [];
    // The order changes: the first contestant of a round may have to wait for what the last one left to do.
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const value = await contestants[name]();
      line.push(`${name} ${value.toFixed(0)}`);
      if (round > 0) seen[name].push(value);
    }
    say(`  ${round === 0 ? "warm-up" : `round ${round} of ${rounds}`}: ${line.join(", ")}`);
  }
  return seen;
};

/** Round by round, because the two of one round had the same machine. */
export const ratiosOf = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, round) => value / (theirs[round] ?? Number.NaN));

export const commitOf = (): string => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  } catch {
    return "unknown";
  }
};

export const machineOf = (): string => `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, Node ${process.versions.node}`;

const SETTINGS = ["BENCH_ROUNDS", "BENCH_SECONDS", "BENCH_CALLS", "BENCH_SCENARIO"];

const keep = (name: string, bare: string, content: object): void => {
  mkdirSync("bench/results", { recursive: true });
  const settings = SETTINGS.filter((setting) => process.env[setting]).map((setting) => `${setting}=${process.env[setting]}`);
  const command = [...settings, bare].join(" ");
  const report = { name, command, commit: commitOf(), machine: machineOf(), at: new Date().toISOString(), ...content };
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(report, null, 2)}\n`);
};

/** Figures that are counted and not compared: a table as it is to be shown. */
export type Table = { title: string; note: string; columns: string[]; rows: string[][] };

export const publishTable = (name: string, command: string, table: Table): void => {
  keep(name, command, table);
  for (const row of [table.columns, ...table.rows]) say(row.join("\t"));
};

/** Prints the table, keeps the JSON for `npm run figures`, and says whether every bar holds. */
export const publish = (name: string, command: string, figures: readonly Figure[]): boolean => {
  keep(name, command, { figures });
  say("");
  for (const figure of figures) {
    const verdict = figure.bar === null ? "" : `  bar ${barOf(figure)}: ${holds(figure) ? "holds" : "NOT REACHED"}`;
    say(`${figure.what}, against ${figure.against}: ${written(figure.ratio, 2)}${verdict}\n    ${figure.seen}`);
  }
  return figures.every(holds);
};
