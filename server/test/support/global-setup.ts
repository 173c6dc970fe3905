/**
 * The PostgreSQL of a run starts when the first test asks for it: tests of rules need none. It has one migrated database, which each test file
 * clones. With `OLDEST_POSTGRES_HOME` there are two, and the files that PostgreSQL decides ask for the oldest. Tests ask by HTTP, because they run
 * in other processes.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildReference } from "#dev/reference-build.ts";
import { openThrowaway, type Throwaway } from "#dev/throwaway.ts";
import { findTestFiles } from "../../../scripts/test-files.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Asked by `testPostgres()`. */
    postgresStarter: string;
    filesOnOldestPostgres: string[];
  }
}

const ROOT = join(import.meta.dirname, "../../..");
const oldestHome = process.env.OLDEST_POSTGRES_HOME;
const STARTS: Readonly<Record<string, () => Promise<Throwaway>>> = {
  usual: () => openThrowaway("test"),
  oldest: () => openThrowaway("test", oldestHome === undefined ? {} : { home: oldestHome }),
};

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const started = new Map<string, Promise<Throwaway>>();
  // Another process of the machine must not learn the administrator's password.
  const secret = randomBytes(16).toString("hex");
  const starter = createServer((request, response) => {
    const [, given, which = ""] = (request.url ?? "").split("/");
    const start = STARTS[which];
    if (given !== secret || !start) return response.writeHead(404).end();
    const starting = started.get(which) ?? start();
    started.set(which, starting);
    starting.then(
      ({ adminUrl, name }) => response.end(JSON.stringify({ adminUrl, template: name })),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => starter.listen(0, "127.0.0.1", resolve));
  project.provide("postgresStarter", `http://127.0.0.1:${(starter.address() as AddressInfo).port}/${secret}`);
  project.provide("filesOnOldestPostgres", oldestHome === undefined ? [] : findTestFiles().everyPostgres.map((path) => join(ROOT, path)));
  buildReference();
  return async () => {
    starter.closeAllConnections();
    starter.close();
    // A start that failed has failed the tests that asked for it.
    for (const starting of started.values()) await (await starting.catch(() => null))?.close();
  };
};
