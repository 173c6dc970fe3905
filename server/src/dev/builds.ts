/** Builds the console and the documentation site for `npm run dev` and for tests when they are missing or their sources are newer. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Whether what was built of some sources is older than they are. */
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

const changedAt = (path: string): number => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** What builds write, and folders, which change with it. */
const MADE = /(?:^|\/)(?:dist|\.source|\.temp|cache)(?:\/|$)/;

const newestIn = (path: string): number => {
  if (!statSync(join(ROOT, path)).isDirectory()) return changedAt(path);
  const entries = readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = entries.map(({ parentPath, name }) => join(parentPath, name).slice(ROOT.length)).filter((file) => !MADE.test(file));
  return Math.max(0, ...files.map(changedAt));
};

const isStale = (made: string, sources: readonly string[]): boolean => {
  const madeAt = changedAt(made);
  return madeAt === 0 || sources.some((source) => newestIn(source) > madeAt);
};

export const isConsoleStale = (): boolean => isStale("console/dist/index.html", ["console/src", "console/build", "contract/src"]);

/** False when the tools are not installed, as after `npm ci --omit=dev`. The service works without the console. */
export const buildConsole = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("vite", ["build", "console", "--logLevel", "warn"], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });

export const isSiteStale = (): boolean =>
  isStale("docs/site/dist/index.html", ["docs/guide", "docs/site", "contract/src", "sdk/README.md"]);

/** False when the tools are not installed, as after `npm ci --omit=dev`. The service works without the site. */
export const buildSite = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["docs/site/build.ts"], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
