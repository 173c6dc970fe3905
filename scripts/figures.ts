/** `npm run figures`: docs/figures.md out of what the benches and storms have left in bench/results. Nothing in it is written by hand. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type Figure, holds, type Spread, type Table } from "../bench/measure.ts";
import type { StormResult } from "../bench/storms.ts";

type Origin = { command: string; commit: string; machine: string; at: string };
type Report = Origin & { name: string; note?: string } & ({ figures: Figure[] } | Table);
type Storms = Omit<Origin, "command"> & { storms: StormResult[] };

const FOLDER = "bench/results";

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

const tableOf = (report: Report): { title: string; columns: string[]; rows: string[][] } =>
  "columns" in report
    ? report
    : { title: `${report.name[0]?.toUpperCase()}${report.name.slice(1)}`, columns: COLUMNS, rows: report.figures.map(figureRow) };

const line = (cells: string[]): string => `| ${cells.map(cell).join(" | ")} |`;

const benchPart = (report: Report): string => {
  const { command, commit, machine, at, note } = report;
  const { title, columns, rows } = tableOf(report);
  return `## ${title}

\`${command}\` at ${commit}, ${at.slice(0, 10)}, ${machine}.${note ? ` ${note}` : ""}

${[line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n")}
`;
};

const stormPart = ({ commit, machine, at, storms }: Storms): string => `## Storms

\`npm run storms\` at ${commit}, ${at.slice(0, 10)}, ${machine}. What each test printed, word for word.

${storms
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
  .filter((name) => name.endsWith(".json") && name !== "storms.json")
  .sort()
  .map((name) => read<Report>(name));
for (const name of ["deliveries", "growth", "proxy", "requests", "trips"])
  if (!reports.some((report) => report.name === name))
    throw new Error(`${FOLDER}/${name}.json is missing, and its figures would be lost. npm run bench:${name} makes it.`);
const parts = [
  `# Figures

What things cost against the bare engine, how often each operation waits for the database, and, once they were run in their long form, what storms have lost. Made by \`npm run figures\` from what the
benches and storms left behind; nothing is written in by hand. What the growth of the data asks for: [0025](decisions/0025-growth-and-upkeep.md). A ratio is of two things measured turn by turn in one run, because machines differ and
are never quiet: the median of the rounds, and its quartiles. In Requests everything the service promises was on: row level security, gates, the
limiter in Redis, audit, idempotency.
`,
  ...reports.map(benchPart),
  ...(existsSync(`${FOLDER}/storms.json`) ? [stormPart(read<Storms>("storms.json"))] : []),
];
writeFileSync("docs/figures.md", parts.join("\n"));
execFileSync("npx", ["biome", "format", "--write", "docs/figures.md"], { stdio: "pipe" });
process.stdout.write(
  `docs/figures.md: ${reports.reduce((sum, report) => sum + tableOf(report).rows.length, 0)} figures of ${reports.length} benches\n`,
);
