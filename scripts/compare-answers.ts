/**
 * `node scripts/compare-answers.ts BEFORE AFTER` compares two recordings of the conformance kit (`CONFORMANCE_RECORD=FILE npm run conformance`).
 * Errors are compared by bytes. What a successful answer contains depends on the tests that ran before, so its members and their order are
 * compared, for each row of a list. Headers are compared for both.
 */
import { readFileSync } from "node:fs";

type RecordedAnswer = [test: string, method: string, path: string, status: number, headers: string[], body: string];

/** A path without its query, with every id as ID. */
const pathOf = (path: string): string => (path.split("?")[0] ?? "").replaceAll(/\/[^/]*[<\d][^/]*/g, "/ID");

const membersOf = (value: unknown): string => {
  if (Array.isArray(value)) return `[${[...new Set(value.map(membersOf))].sort().join("|")}]`;
  if (typeof value !== "object" || value === null) return "value";
  return `{${Object.entries(value)
    .map(([name, member]) => `${name}:${membersOf(member)}`)
    .join(",")}}`;
};

const factsOf = (body: string, status: number): string[] => {
  if (status >= 400) return [body];
  // Numbers are replaced in a recording, which leaves no valid JSON.
  const answer = parsed(body.replaceAll("<number>", "1"));
  if (answer === null) return [body];
  const { data, ...rest } = answer;
  return [membersOf({ data: null, ...rest }), ...(Array.isArray(data) ? data : [data]).map(membersOf)];
};

const parsed = (text: string): Record<string, unknown> | null => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return null;
  }
};

const read = (file: string): { count: number; facts: Set<string> } => {
  const lines = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "");
  const answers = lines.map((line) => JSON.parse(line) as RecordedAnswer);
  const facts = answers.flatMap(([, method, path, status, headers, body]) =>
    [headers.join("; "), ...factsOf(body, status)].map((fact) => `${method} ${pathOf(path)} ${status}: ${fact}`),
  );
  return { count: answers.length, facts: new Set(facts) };
};

const [beforeFile = "", afterFile = ""] = process.argv.slice(2);
const [before, after] = [read(beforeFile), read(afterFile)];
const gone = [...before.facts].filter((fact) => !after.facts.has(fact));
const added = [...after.facts].filter((fact) => !before.facts.has(fact));
for (const fact of gone.sort()) process.stdout.write(`- ${fact.slice(0, 1000)}\n`);
for (const fact of added.sort()) process.stdout.write(`+ ${fact.slice(0, 1000)}\n`);
process.stdout.write(
  `${before.count} answers before, ${after.count} after; ${before.facts.size} different errors, headers and lists of members before: ` +
    `${gone.length} are gone, ${added.length} are new\n`,
);
process.exitCode = gone.length + added.length === 0 ? 0 : 1;
