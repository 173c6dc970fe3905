/** One browser for all files of a run: starting one costs a second of the processor. Each file connects to it, and sees only its own contexts. */
import { chromium } from "playwright-core";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Asked by `openBrowser()`. */
    browserAddress: string;
  }
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The second load of a page takes the compiled scripts of the first; otherwise the third does.
  "--blink-settings=v8CacheOptions=4",
];

const START_MS_MAX = 120_000;

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await chromium.launchServer({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: FLAGS,
    timeout: START_MS_MAX,
    host: "127.0.0.1",
  });
  project.provide("browserAddress", server.wsEndpoint());
  return () => server.close();
};
