/** How much the first page loads, and each route after it. `npm run e2e -- bundle-size` prints the sizes. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const SCRIPTS_KB_MAX = 245;
/** Two pages outside the shell, of a screen that is paired and of a venue that is lost, load 60.5. */
const ROUTE_KB_MAX = 62;

type ManifestChunk = { file: string; isDynamicEntry?: boolean; imports?: string[]; css?: string[] };
const manifest = JSON.parse(readFileSync(`${DIST}.vite/manifest.json`, "utf8")) as Record<string, ManifestChunk>;

const filesOf = (key: string, seen = new Set<string>()): Set<string> => {
  const chunk = manifest[key];
  if (!chunk || seen.has(chunk.file)) return seen;
  seen.add(chunk.file);
  for (const imported of chunk.imports ?? []) filesOf(imported, seen);
  return seen;
};
const gzipKb = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + gzipSync(readFileSync(`${DIST}${file}`)).length, 0) / 1000;

const entryKey = "index.html";

test(`the first load takes ${SCRIPTS_KB_MAX} kB of scripts at most, sign-in included`, () => {
  const files = filesOf(entryKey);
  const withSignIn = filesOf("src/account/sign-in.tsx", new Set(files));
  console.log(`entry ${gzipKb(files).toFixed(0)} kB, with sign-in ${gzipKb(withSignIn).toFixed(0)} kB, gzip`);
  expect(gzipKb(withSignIn)).toBeLessThanOrEqual(SCRIPTS_KB_MAX);
});

/** Pages of people are shown inside the shell, screens of the kitchen without it. */
const isInShell = (key: string): boolean => !/^src\/(screen|kitchen|compose)\//.test(key);

/** Scripts and styles that a lazily loaded part adds to what is there before it. */
const addedFiles = (key: string): Set<string> => {
  const first = isInShell(key) ? filesOf("src/compose/venue-shell.tsx", filesOf(entryKey)) : filesOf(entryKey);
  const added = filesOf(key, new Set(first)).difference(first);
  const styles = Object.values(manifest).filter(({ file }) => added.has(file));
  return new Set([...added, ...styles.flatMap(({ css }) => css ?? [])]);
};

test(`a route adds ${ROUTE_KB_MAX} kB at most, with its styles`, () => {
  const routes = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry && key.endsWith(".tsx"));
  const sizes = routes.map((key) => ({ key, kb: gzipKb(addedFiles(key)) })).sort((a, b) => b.kb - a.kb);
  console.log(sizes.map(({ key, kb }) => `${kb.toFixed(1)} kB ${key}`).join("\n"));
  expect(sizes.length).toBeGreaterThan(10);
  expect(sizes.filter(({ kb }) => kb > ROUTE_KB_MAX)).toEqual([]);
});

test("no schema library is shipped", () => {
  const scripts = Object.values(manifest).map(({ file }) => file);
  const schemas = scripts.filter((file) => file.endsWith(".js") && /TypeBox|~kind/.test(readFileSync(`${DIST}${file}`, "utf8")));
  expect(schemas).toEqual([]);
});
