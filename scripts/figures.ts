/** `npm run figures`: writes docs/figures.md from the results of benchmarks and stress tests in bench/results. Nothing in it is written by hand. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Figure, holds, type Spread, type Table } from "../bench/measure.ts";
import type { StressResult } from "../bench/stress-runs.ts";
import { PROMISES_PLACE, withPromises } from "./promises-table.ts";

type ReportOrigin = { command: string; commit: string; machine: string; at: string };
type BenchReport = ReportOrigin & { name: string; note?: string } & ({ figures: Figure[] } | Table);
type StressReport = Omit<ReportOrigin, "command"> & { runs: StressResult[] };

const FOLDER = "bench/results";
const STRESS_FILE = "stress.json";

const read = <T>(name: string): T => JSON.parse(readFileSync(`${FOLDER}/${name}`, "utf8")) as T;

const cell = (text: string): string => text.replaceAll("|", "\\|");

const spread = ({ low, median, high }: Spread): string => `**${median.toFixed(2)}** (${low.toFixed(2)}–${high.toFixed(2)})`;

const barOf = (figure: Figure): string => {
  if (figure.bar === null) return "";
  const bar = "atLeast" in figure.bar ? `≥ ${figure.bar.atLeast}` : `≤ ${figure.bar.atMost}`;
  return holds(figure) ? bar : `${bar}: not reached`;
};

const COLUMNS = ["what", "against", "ratio (quartiles)", "bar", "seen"];

const figureRow = (figure: Figure): string[] => [figure.what, figure.against, spread(figure.ratio), barOf(figure), figure.seen];

const tableOf = (report: BenchReport): { title: string; columns: string[]; rows: string[][] } =>
  "columns" in report
    ? report
    : { title: `${report.name[0]?.toUpperCase()}${report.name.slice(1)}`, columns: COLUMNS, rows: report.figures.map(figureRow) };

const line = (cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;

const benchPart = (report: BenchReport): string => {
  const { command, commit, machine, at, note } = report;
  const { title, columns, rows } = tableOf(report);
  return `## ${title}

\`${command}\` at ${commit}, ${at.slice(0, 10)}, ${machine}.${note ? ` ${note}` : ""}

${[line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n")}
`;
};

const stressPart = ({ commit, machine, at, runs }: StressReport): string => `## Stress tests

\`npm run stress\` at ${commit}, ${at.slice(0, 10)}, ${machine}. What each test printed. Commands and labels have their current names.

${runs
  .map(
    ({ what, command, passed, tests, seconds, printed }) => `### ${what}

${passed ? "Held" : "**Did not hold**"}: ${tests.trim()}, ${seconds} s.

\`\`\`text
${command}
${printed.map((line) => line.trimEnd()).join("\n")}
\`\`\`
`,
  )
  .join("\n")}`;

const reports = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".json") && name !== STRESS_FILE)
  .sort()
  .map((name) => read<BenchReport>(name));
for (const name of ["deliveries", "growth", "proxy", "requests", "trips"])
  if (!reports.some((report) => report.name === name))
    throw new Error(`${FOLDER}/${name}.json is missing, and its figures would be lost. npm run bench:${name} makes it.`);
const parts = [
  `# Figures

This page shows the cost of the service compared with bare PostgreSQL and bare handlers, the round trips of each operation, and the losses in
the long stress tests. \`npm run figures\` writes it from the results of the benches and stress tests; nothing is written by hand.
[0025](decisions/0025-growth-and-retention.md) explains the growth of the data. A ratio compares two things that were measured alternately in
one run, because machines differ and are never idle: it is the median of the rounds, with its quartiles. In Requests all promises of the service
were on: row level security, access checks, the limiter in Redis, audit, idempotency.

## Promises

Each line is a test or a measurement that you can repeat.

${PROMISES_PLACE}`,
  ...reports.map(benchPart),
  ...(existsSync(`${FOLDER}/${STRESS_FILE}`) ? [stressPart(read<StressReport>(STRESS_FILE))] : []),
];
writeFileSync("docs/figures.md", withPromises(parts.join("\n")));
execFileSync("npx", ["biome", "format", "--write", "docs/figures.md"], { stdio: "pipe" });
process.stdout.write(
  `docs/figures.md: ${reports.reduce((sum, report) => sum + tableOf(report).rows.length, 0)} figures of ${reports.length} benches\n`,
);
