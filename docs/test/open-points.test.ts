/** Every open point has one row, the index lists its page, and every mention in code and documents leads to a row. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./blocks.ts";

const FOLDER = "docs/open-points";
const SKIPPED = ["node_modules", "dist", ".git", ".comanda", ".results", "results", "reports"];

const read = (path: string): string => readFileSync(`${ROOT}/${path}`, "utf8");
const PAGES = globSync("*.md", { cwd: `${ROOT}/${FOLDER}` }).filter((name) => name !== "README.md");

const idsOf = (page: string): string[] => [...page.matchAll(/^\| (D\d+) /gm)].map(([, id = ""]) => id);
const IDS = PAGES.flatMap((name) => idsOf(read(`${FOLDER}/${name}`)));

/** `D43–D50` is every id from the first to the last. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(/\bD(\d{2,3})\b(?:(?:–| to )D(\d{2,3})\b)?/g)].flatMap(([, first = "", last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, step) => `D${String(Number(first) + step).padStart(2, "0")}`),
  );

/** The ids that a comment or sentence gives after "open point" or "open points". */
const mentionedIn = (text: string): string[] =>
  [...text.matchAll(/open points? ((?:D\d+(?:–|, | and |))+)/g)].flatMap(([, ids = ""]) => idsIn(ids));

const missingIn = (text: string): string[] => mentionedIn(text).filter((id) => !IDS.includes(id));

test("every id has one row, on the page that the index names for it", () => {
  expect(new Set(IDS).size).toBe(IDS.length);
  const rows = read(`${FOLDER}/README.md`).matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\)\s*\|[^|]*\|([^|]*)\|$/gm);
  const listed = Object.fromEntries([...rows].map(([, name = "", ids = ""]) => [name, idsIn(ids).sort()]));
  expect(listed).toEqual(Object.fromEntries(PAGES.map((name) => [name, idsOf(read(`${FOLDER}/${name}`)).sort()])));
});

test("every open point that is mentioned exists", () => {
  const paths = globSync("**/*.{ts,tsx,md,sql}", { cwd: ROOT, exclude: (path) => path.split("/").some((part) => SKIPPED.includes(part)) });
  const texts = paths.filter((path) => !path.endsWith("open-points.test.ts")).map((path) => ({ path, text: read(path) }));
  expect(texts.flatMap(({ path, text }) => missingIn(text).map((id) => `${path}: ${id}`))).toEqual([]);
  expect(texts.flatMap(({ text }) => mentionedIn(text)).length).toBeGreaterThan(50);
  expect(idsIn(read("docs/contract.md")).filter((id) => !IDS.includes(id))).toEqual([]);
});

test("planted: an open point that does not exist is found", () => {
  expect(missingIn("open point D27")).toEqual([]);
  expect(missingIn("open point D999")).toEqual(["D999"]);
  expect(missingIn("open points D12–D14, D998")).toEqual(["D998"]);
});
