/** Builds the console for `npm run dev` when it is missing or its source is newer. */
import { spawn } from "node:child_process";
import { isStale, ROOT } from "./stale.ts";

export const isConsoleStale = (): boolean => isStale("console/dist/index.html", ["console/src", "console/build", "contract/src"]);

/** False when the tools are not installed, as after `npm ci --omit=dev`. The service works without the console. */
export const buildConsole = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("vite", ["build", "console", "--logLevel", "warn"], { cwd: ROOT, stdio: ["ignore", "inherit", "inherit"] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
