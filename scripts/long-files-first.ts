/** The order of test files: as Vitest sorts them, but within each project the files marked `@long` come first. */
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { findBrowserTestFiles, findTestFiles } from "./test-files.ts";

const ROOT = join(import.meta.dirname, "..");
const long = new Set([
  ...findTestFiles().long.map((path) => join(ROOT, path)),
  ...findBrowserTestFiles().long.map((path) => join(ROOT, "console/e2e", path)),
]);

/** Vitest only knows how long a file takes once it has run here, which it never has on a new machine. */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project.name);
    return [...byProject.values()].flatMap((ofProject) => [
      ...ofProject.filter(({ moduleId }) => long.has(moduleId)),
      ...ofProject.filter(({ moduleId }) => !long.has(moduleId)),
    ]);
  }
}
