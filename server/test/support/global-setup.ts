/**
 * What test files share is made when the first one asks for it; files of rules need none of it. PostgreSQL has one migrated database, which
 * each file clones. With `OLDEST_POSTGRES_HOME` there are two, and the files that PostgreSQL decides ask for the oldest. Programs that tests start
 * are bundled. Tests ask by HTTP, because they run in other processes.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { buildReference } from "#dev/reference-build.ts";
import { openThrowaway, type Throwaway } from "#dev/throwaway.ts";
import { findTestFiles } from "../../../scripts/test-files.ts";
import { createProgramBundler } from "./program-bundler.ts";

declare module "vitest" {
  interface ProvidedContext {
    filesOnOldestPostgres: string[];
  }
}

const ROOT = join(import.meta.dirname, "../../..");
const oldestHome = process.env.OLDEST_POSTGRES_HOME;

const startPostgres = async (which: string): Promise<Throwaway> =>
  openThrowaway("test", which === "oldest" && oldestHome !== undefined ? { home: oldestHome } : {});

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const started = new Map<string, Promise<Throwaway>>();
  const bundler = createProgramBundler();
  const postgres = async (which: string): Promise<object> => {
    const starting = started.get(which) ?? startPostgres(which);
    started.set(which, starting);
    // The next file that asks tries again.
    starting.catch(() => started.delete(which));
    const { adminUrl, name } = await starting;
    return { adminUrl, template: name };
  };
  const PARTS: Readonly<Record<string, (name: string) => Promise<object>>> = {
    postgres,
    program: async (file) => ({ bundle: await bundler.bundle(file) }),
  };
  // Another process of the machine must not learn the administrator's password.
  const secret = randomBytes(16).toString("hex");
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
    const [, given, part = ""] = pathname.split("/");
    const make = PARTS[part];
    if (given !== secret || !make) return response.writeHead(404).end();
    make(searchParams.get("name") ?? "").then(
      (made) => response.end(JSON.stringify(made)),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // The project does not provide it, because some callers are no tests.
  process.env.TEST_SHARED_PARTS = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${secret}`;
  project.provide("filesOnOldestPostgres", oldestHome === undefined ? [] : findTestFiles().everyPostgres.map((path) => join(ROOT, path)));
  buildReference();
  return async () => {
    server.closeAllConnections();
    server.close();
    bundler.remove();
    // A start that failed has failed the tests that asked for it.
    for (const starting of started.values()) await (await starting.catch(() => null))?.close();
  };
};
