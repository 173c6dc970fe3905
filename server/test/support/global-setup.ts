/** One migrated database for the whole run; each test file clones it. */
import type { TestProject } from "vitest/node";
import { buildReference } from "#dev/reference-build.ts";
import { openThrowaway } from "#dev/throwaway.ts";

declare module "vitest" {
  interface ProvidedContext {
    adminUrl: string;
    template: string;
  }
}

export default async (project: TestProject): Promise<() => Promise<void>> => {
  buildReference();
  const { adminUrl, name, close } = await openThrowaway("test");
  project.provide("adminUrl", adminUrl);
  project.provide("template", name);
  return close;
};
