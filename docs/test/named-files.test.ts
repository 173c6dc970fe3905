/** Every TypeScript file that a document names exists. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { GROUP_FOLDERS, MODULES } from "../../scripts/groups.ts";
import { ROOT } from "./blocks.ts";

const SKIPPED = ["node_modules", "dist", ".git", ".comanda", ".results", "ARCHITECTURE.md"];
/** Files that a reader creates. */
const READERS = ["try.ts"];

const glob = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => path.split("/").some((part) => SKIPPED.includes(part)) });
const FILES = glob("**/*.{ts,tsx}").map((path) => `/${path}`);

/** `menu/rules.ts` in backticks names every file whose path ends so; a star stands for part of a name. */
const namedIn = (text: string): string[] => [...text.matchAll(/`([\w@./*-]+\.tsx?)`/g)].map(([, name = ""]) => name);

const exists = (name: string): boolean => {
  const pattern = new RegExp(`/${name.replaceAll(".", "\\.").replaceAll("*", "[^/]*")}$`);
  return FILES.some((path) => pattern.test(path));
};

const missingIn = (text: string): string[] => namedIn(text).filter((name) => !READERS.includes(name) && !exists(name));

test("every named file exists", () => {
  const pages = glob("**/*.md").map((path) => ({ path, text: readFileSync(`${ROOT}/${path}`, "utf8") }));
  expect(pages.flatMap(({ path, text }) => missingIn(text).map((name) => `${path}: ${name}`))).toEqual([]);
  expect(pages.flatMap(({ text }) => namedIn(text)).length).toBeGreaterThan(300);
});

test("planted: a file that does not exist is found", () => {
  expect(missingIn("`docs/test/blocks.ts`, `blocks.ts` and `platform/events/webhooks/*.test.ts`")).toEqual([]);
  expect(missingIn("`docs/test/block.ts` and `locks.ts`")).toEqual(["docs/test/block.ts", "locks.ts"]);
});

/** Modules and groups that a text names without a file, such as `venue/orders`. */
const missingModules = (text: string): string[] =>
  [...text.matchAll(/`((?:platform|venue)\/[a-z-]+(?:\/[a-z-]+)?)\/?`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !GROUP_FOLDERS.includes(name) && !MODULES.includes(name));

test("every named module and group is there", () => {
  expect(
    glob("**/*.md").flatMap((path) => missingModules(readFileSync(`${ROOT}/${path}`, "utf8")).map((name) => `${path}: ${name}`)),
  ).toEqual([]);
  expect(missingModules("`venue/orders`, `venue/orders/payments` and `venue/payments`"), "planted").toEqual(["venue/payments"]);
});
