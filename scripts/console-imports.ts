/** Reads which file of the console imports which. The reader of the server's imports knows no JSX, so the console's are read here. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync } from "rolldown/utils";

export type ImportEdge = { from: string; to: string };

const ROOT = join(import.meta.dirname, "..");
const SOURCES = "console/src";
const TEST = /[.](test|d)[.]tsx?$/;

/** What a file names in its imports and re-exports, those of types and those that load later included. */
const specifiersIn = (path: string, text: string): string[] => {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} cannot be read: ${errors[0]?.message}`);
  const later = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1));
  const exported = module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []));
  return [...module.staticImports.map(({ moduleRequest }) => moduleRequest.value), ...later, ...exported];
};

/** `#kit/write.ts` is `console/src/kit/write.ts`. Packages and other workspaces are left out. */
const resolve = (from: string, specifier: string): string | null => {
  if (specifier.startsWith("#")) return `${SOURCES}/${specifier.slice(1)}`;
  return specifier.startsWith(".") ? normalize(join(dirname(from), specifier)) : null;
};

export const importsOf = (path: string, text: string): ImportEdge[] =>
  specifiersIn(path, text)
    .map((specifier) => resolve(path, specifier))
    .filter((to) => to !== null)
    .map((to) => ({ from: path, to }));

export const readConsoleImports = (): ImportEdge[] =>
  globSync(`${SOURCES}/**/*.{ts,tsx}`, { cwd: ROOT })
    .filter((path) => !TEST.test(path))
    .flatMap((path) => importsOf(path, readFileSync(join(ROOT, path), "utf8")));
