/** Whether what was built of some sources is older than they are. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const changedAt = (path: string): number => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What builds write, and folders, which change with it. */
const MADE = /(?:^|\/)(?:dist|\.source|\.temp|cache)(?:\/|$)/;

const newestIn = (path: string): number => {
  if (!statSync(join(ROOT, path)).isDirectory()) return changedAt(path);
  const entries = readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length)).filter((file) => !MADE.test(file));
  return Math.max(0, ...files.map(changedAt));
};

export const isStale = (made: string, sources: readonly string[]): boolean => {
  const madeAt = changedAt(made);
  return madeAt === 0 || sources.some((source) => newestIn(source) > madeAt);
};
