/**
 * The PostgreSQL of a run starts when the first test asks for it: tests of rules need none. It has one migrated database, which each test file
 * clones. Tests ask by HTTP, because they run in other processes.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestProject } from "vitest/node";
import { buildReference } from "#dev/reference-build.ts";
import { openThrowaway, type Throwaway } from "#dev/throwaway.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Asked by `testPostgres()`. */
    postgresStarter: string;
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  let started: Promise<Throwaway> | null = null;
  // Another process of the machine must not learn the administrator's password.
  const path = `/${randomBytes(16).toString("hex")}`;
  const starter = createServer((request, response) => {
    if (request.url !== path) return response.writeHead(404).end();
    started ??= openThrowaway("test");
    started.then(
      ({ adminUrl, name }) => response.end(JSON.stringify({ adminUrl, template: name })),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  await new Promise<void>((resolve) => starter.listen(0, "127.0.0.1", resolve));
  project.provide("postgresStarter", `http://127.0.0.1:${(starter.address() as AddressInfo).port}${path}`);
  buildReference();
  return async () => {
    starter.closeAllConnections();
    starter.close();
    // A start that failed has failed the tests that asked for it.
    await (await started?.catch(() => null))?.close();
  };
};
