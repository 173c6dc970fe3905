/** Builds the console for `npm run dev` when it is missing or its source is newer. */
import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const SOURCES = ["console/src", "console/build", "contract/src"];

const changedAt = (path: string): number => statSync(join(ROOT, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;

const newestIn = (folder: string): number =>
  Math.max(0, ...readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => changedAt(join(folder, path))));

export const isConsoleStale = (): boolean => {
  const builtAt = changedAt("console/dist/index.html");
  return builtAt === 0 || SOURCES.some((folder) => newestIn(folder) > builtAt);
};

/** False when the tools are not installed, as after `npm ci --omit=dev`. The service works without the console. */
export const buildConsole = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("vite", ["build", "console", "--logLevel", "warn"], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
