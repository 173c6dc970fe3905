/**
 * `npm run -s guess -- ask` prints questions and the paths of all source files; `npm run -s guess -- score FILE` counts the right answers.
 * It measures whether a newcomer finds the file for a promise by its name. `docs/guessing-game` says how to play.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

export type GuessingQuestion = { id: number; kind: "promise" | "operation"; question: string; files: string[] };
export type Guesses = Record<string, unknown>;
export type GuessingScore = { right: number; wrong: { id: number; guess: string | null; files: string[] }[] };

const ROOT = new URL("../", import.meta.url);
const QUESTIONS = new URL("docs/guessing-game/questions.json", ROOT);
const COUNTS = { promise: 40, operation: 20 };
const FILES_MAX = 3;

const INSTRUCTIONS = `A guessing game about the names of files.

Comanda is an open platform for restaurants: an HTTP API with webhooks, OAuth and MCP (server), the declared API (contract), a web console for
owners and developers (console) and a client library (sdk). Below are 60 questions and the paths of all source files.

- Answer by the paths alone. Do not open, search or list any file of the project.
- Give one path for each question: the file that a developer would have to change.
- Guess where you are not sure. A missing answer counts as wrong.
- Write one JSON object from the number of the question to the path: { "1": "server/src/…", "2": "…" }
`;

/** Tests and generated files are never an answer. */
export const sourceFilesIn = (paths: readonly string[]): string[] =>
  paths.filter(
    (path) =>
      /^[^/]+\/src\/.+\.(ts|tsx|sql)$/.test(path) && !/\.test\.tsx?$/.test(path) && !/\.generated\.ts$|(^|\/)schema\.sql$/.test(path),
  );

/** What is wrong with the questions, given the paths that can be an answer; empty when nothing is. */
export const questionFaults = (questions: readonly GuessingQuestion[], sources: readonly string[]): string[] => {
  const known = new Set(sources);
  const numbering = questions.flatMap(({ id }, index) => (id === index + 1 ? [] : [`Question ${index + 1} has the id ${id}.`]));
  const counts = Object.entries(COUNTS).flatMap(([kind, wanted]) => {
    const count = questions.filter((question) => question.kind === kind).length;
    return count === wanted ? [] : [`There are ${count} questions of the kind ${kind}, not ${wanted}.`];
  });
  const files = questions.flatMap(({ id, files: paths }) => [
    ...(paths.length < 1 || paths.length > FILES_MAX ? [`Question ${id} has ${paths.length} files, not 1 to ${FILES_MAX}.`] : []),
    ...paths.filter((path) => !known.has(path)).map((path) => `Question ${id}: ${path} is not a source file of this tree.`),
  ]);
  return [...numbering, ...counts, ...files];
};

export const writeSheet = (questions: readonly GuessingQuestion[], sources: readonly string[]): string =>
  [
    INSTRUCTIONS,
    "## Questions\n",
    ...questions.map(({ id, question }) => `${id}. ${question}`),
    "\n## Source files\n",
    ...[...sources].sort(),
    "",
  ].join("\n");

export const scoreGuesses = (questions: readonly GuessingQuestion[], guesses: Guesses): GuessingScore => {
  const wrong = questions.flatMap(({ id, files }) => {
    const given = guesses[String(id)];
    const guess = typeof given === "string" ? given.trim().replace(/^\.?\//, "") : null;
    return guess !== null && files.includes(guess) ? [] : [{ id, guess, files }];
  });
  return { right: questions.length - wrong.length, wrong };
};

const describeScore = (questions: readonly GuessingQuestion[], { right, wrong }: GuessingScore): string => {
  const ofKind = (kind: GuessingQuestion["kind"]): string => {
    const ids = questions.filter((question) => question.kind === kind).map(({ id }) => id);
    return `${ids.length - wrong.filter(({ id }) => ids.includes(id)).length} of ${ids.length}`;
  };
  return [
    `${right} of ${questions.length} right: promises ${ofKind("promise")}, operations ${ofKind("operation")}`,
    ...wrong.map(({ id, guess, files }) => `wrong ${id}: ${guess ?? "no answer"}, right is ${files.join(" or ")}`),
    "",
  ].join("\n");
};

/** Git lists a deleted file until the deletion is staged. */
const readSources = (): string[] => {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
  return sourceFilesIn(listed.split("\0")).filter((path) => existsSync(new URL(path, ROOT)));
};

const run = ([command, path]: readonly string[]): void => {
  const questions = JSON.parse(readFileSync(QUESTIONS, "utf8")) as GuessingQuestion[];
  const sources = readSources();
  const faults = questionFaults(questions, sources);
  if (faults.length > 0) throw new Error(`docs/guessing-game/questions.json does not fit this tree:\n${faults.join("\n")}`);
  if (command === "check") return;
  if (command === "ask") return void process.stdout.write(writeSheet(questions, sources));
  if (command !== "score" || path === undefined) throw new Error("Use: ask, score FILE, or check.");
  const guesses = JSON.parse(readFileSync(path, "utf8")) as Guesses;
  process.stdout.write(describeScore(questions, scoreGuesses(questions, guesses)));
};

if (import.meta.main)
  try {
    run(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
