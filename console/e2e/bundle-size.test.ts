/** The size of the scripts that the first page loads. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
const SCRIPTS_KB_MAX = 250;

type ManifestChunk = { file: string; isEntry?: boolean; imports?: string[]; css?: string[] };
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

test(`the first load takes ${SCRIPTS_KB_MAX} kB of scripts at most, sign-in included`, () => {
  const [entry = ""] = Object.entries(manifest).find(([, chunk]) => chunk.isEntry) ?? [];
  const files = filesOf(entry);
  const withSignIn = filesOf("src/account/sign-in.tsx", new Set(files));
  console.log(`entry ${gzipKb(files).toFixed(0)} kB, with sign-in ${gzipKb(withSignIn).toFixed(0)} kB, gzip`);
  expect(gzipKb(withSignIn)).toBeLessThanOrEqual(SCRIPTS_KB_MAX);
});

test("no schema library is shipped", () => {
  const scripts = Object.values(manifest).map(({ file }) => file);
  const schemas = scripts.filter((file) => file.endsWith(".js") && /TypeBox|~kind/.test(readFileSync(`${DIST}${file}`, "utf8")));
  expect(schemas).toEqual([]);
});
