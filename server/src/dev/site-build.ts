/** Builds the documentation site for `npm run dev` and for tests when it is missing or the guides are newer. */
import { spawn } from "node:child_process";
import { isStale, ROOT } from "./stale.ts";

export const isSiteStale = (): boolean =>
  isStale("docs/site/dist/index.html", ["docs/guide", "docs/site", "contract/src", "sdk/README.md"]);

/** False when the tools are not installed, as after `npm ci --omit=dev`. The service works without the site. */
export const buildSite = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["docs/site/build.ts"], { cwd: ROOT, stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", () => resolve(false));
    child.once("close", (code) => resolve(code === 0));
  });
