/** Copies the API reference's script out of its package for `npm run build`: one file instead of 270 MB of packages. */
import { copyFileSync, mkdirSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { REFERENCE_BUNDLE } from "#http/docs/api-reference.ts";

/** False when the package is not installed, as after `npm ci --omit=dev`. */
export const buildReference = (): boolean => {
  const source = sourcePath();
  if (source === null) return false;
  const [made, wanted] = [REFERENCE_BUNDLE, source].map((path) => statSync(path, { throwIfNoEntry: false }));
  if (made === undefined || made.size !== wanted?.size || made.mtimeMs < wanted.mtimeMs) {
    mkdirSync(dirname(REFERENCE_BUNDLE), { recursive: true });
    copyFileSync(source, REFERENCE_BUNDLE);
  }
  return true;
};

const sourcePath = (): string | null => {
  try {
    const entry = createRequire(import.meta.url).resolve("@scalar/api-reference");
    return entry.replace(/dist\/.*$/, "dist/browser/standalone.js");
  } catch {
    return null;
  }
};

if (import.meta.main && !buildReference()) {
  process.stderr.write("The API reference needs the development packages: run `npm ci` first.\n");
  process.exitCode = 1;
}
