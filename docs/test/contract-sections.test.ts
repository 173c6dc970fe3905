/** Every § in source, tests and documents leads to a section of docs/contract.md. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ROOT } from "./blocks.ts";

const FILES = "**/*.{ts,tsx,md,sql,json,yml,yaml}";
const SKIPPED = ["node_modules", "dist", ".git", ".comanda", ".results", "results", "reports"];

const SECTION = String.raw`\d+(?:\.\d+)*`;
/** One or several section numbers after one sign: `§5.2`, `§2.2–2.4`, `§4.1, §4.4`. */
const SECTIONS = `§${SECTION}(?:(?:–|, | and )§?${SECTION})*`;
/** Sections of other documents. */
const FOREIGN = new RegExp(String.raw`(?:RFC \d+|SP [\w-]+) ${SECTIONS}`, "g");

/** The numbers of the headings, and of the rules listed under them: rule 3 under §6.1 is 6.1.3. */
const sectionsOf = (contract: string): Set<string> => {
  const sections = new Set<string>();
  let heading = "";
  for (const line of contract.split("\n")) {
    heading = new RegExp(`^#+ §(${SECTION}) `).exec(line)?.[1] ?? heading;
    const rule = /^(\d+)\. /.exec(line)?.[1];
    sections.add(rule === undefined ? heading : `${heading}.${rule}`);
  }
  return sections;
};

const mentionedIn = (text: string): string[] =>
  [...text.replaceAll(FOREIGN, "").matchAll(new RegExp(SECTIONS, "g"))].flatMap(([found]) => found.match(new RegExp(SECTION, "g")) ?? []);

const CONTRACT = sectionsOf(readFileSync(`${ROOT}/docs/contract.md`, "utf8"));
const missingIn = (text: string): string[] => mentionedIn(text).filter((section) => !CONTRACT.has(section));

test("every section that is mentioned exists", () => {
  const paths = globSync(FILES, { cwd: ROOT, exclude: (path) => path.split("/").some((part) => SKIPPED.includes(part)) })
    // The planted faults below are sections that do not exist.
    .filter((path) => !path.endsWith("contract-sections.test.ts"));
  const texts = paths.map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, "utf8") }));
  const mentions = texts.reduce((sum, { text }) => sum + mentionedIn(text).length, 0);
  console.info(`${mentions} mentions of ${CONTRACT.size} sections in ${paths.length} files`);
  expect(texts.flatMap(({ path, text }) => missingIn(text).map((section) => `${path}: §${section}`))).toEqual([]);
  expect(mentions).toBeGreaterThan(100);
});

test("planted: a section that does not exist is found", () => {
  expect(missingIn("contract §1.6, and rule §6.1.3")).toEqual([]);
  expect(missingIn("contract §99")).toEqual(["99"]);
  expect(missingIn("contract §4.1, §4.7 and §2.2–2.12")).toEqual(["4.7", "2.12"]);
  expect(missingIn("contract §6.1.6")).toEqual(["6.1.6"]);
  expect(missingIn("RFC 6749 §99.1 and §98, then §97")).toEqual(["97"]);
  expect(sectionsOf("## §3 Heading\n\ntext").has("3.1")).toBe(false);
});
