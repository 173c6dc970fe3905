import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type GuessingQuestion, questionFaults, scoreGuesses, sourceFilesIn, writeSheet } from "./guessing-game.ts";

const ROOT = new URL("../", import.meta.url);
const QUESTIONS = JSON.parse(readFileSync(new URL("docs/guessing-game/questions.json", ROOT), "utf8")) as GuessingQuestion[];
const SOURCES = sourceFilesIn(execFileSync("git", ["ls-files"], { cwd: ROOT, encoding: "utf8" }).split("\n"));

const withFirst = (change: Partial<GuessingQuestion>): GuessingQuestion[] =>
  QUESTIONS.map((question, index) => (index === 0 ? { ...question, ...change } : question));

test("every file of the key is a source file of this tree", () => {
  expect(questionFaults(QUESTIONS, SOURCES)).toEqual([]);
});

test("a path that does not exist, a test file, a question without a file and a missing question are found", () => {
  expect(questionFaults(withFirst({ files: ["server/src/gone.ts"] }), SOURCES)).toEqual([
    "Question 1: server/src/gone.ts is not a source file of this tree.",
  ]);
  expect(questionFaults(withFirst({ files: ["console/src/kit/moments.test.ts"] }), SOURCES)).toHaveLength(1);
  expect(questionFaults(withFirst({ files: [] }), SOURCES)).toEqual(["Question 1 has 0 files, not 1 to 3."]);
  expect(questionFaults(QUESTIONS.slice(0, -1), SOURCES)).toEqual(["There are 19 questions of the kind operation, not 20."]);
});

test("tests and generated files are not among the paths", () => {
  const paths = [
    "server/src/a.ts",
    "server/src/a.test.ts",
    "sdk/src/b.generated.ts",
    "server/src/db/schema.sql",
    "docs/c.md",
    "scripts/d.ts",
  ];
  expect(sourceFilesIn(paths)).toEqual(["server/src/a.ts"]);
});

test("the sheet has every question and every path, and no answer beside a question", () => {
  const [questions = "", files = ""] = writeSheet(QUESTIONS, SOURCES).split("## Source files");
  for (const { id, question } of QUESTIONS) expect(questions).toContain(`${id}. ${question}\n`);
  expect(SOURCES.filter((path) => questions.includes(path))).toEqual([]);
  expect(files.trim().split("\n")).toEqual([...SOURCES].sort());
});

test("a right, a wrong and a missing answer are told apart", () => {
  const all = Object.fromEntries(QUESTIONS.map(({ id, files }) => [id, files.at(-1)]));
  expect(scoreGuesses(QUESTIONS, all)).toEqual({ right: 60, wrong: [] });
  const others = { ...all, 1: "server/src/app.ts", 2: undefined };
  expect(scoreGuesses(QUESTIONS, others)).toEqual({
    right: 58,
    wrong: [
      { id: 1, guess: "server/src/app.ts", files: QUESTIONS[0]?.files },
      { id: 2, guess: null, files: QUESTIONS[1]?.files },
    ],
  });
});
