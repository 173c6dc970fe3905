/**
 * Where each test file runs. A file says so with a marker in its first comment, followed by the reason:
 *
 * - no marker: in a process that it shares with other files, beside others;
 * - `@own-process`: in a process of its own, beside others, because it changes or measures its process;
 * - `@alone`: after all others, one file at a time, because it compares durations;
 * - `@long`: before the others of its kind, because it takes 20 s or more: the last file to end keeps the other workers waiting;
 * - `@every-postgres`: PostgreSQL decides the result. With `OLDEST_POSTGRES_HOME`, as in CI, these files, and those of the folders in
 *   `ON_EVERY_POSTGRES` that use a database, run on the PostgreSQL of that folder, and all others on the packaged one.
 *
 * Tests in a browser know `@long`.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

const TEST_FILES = [
  "contract/**/*.test.ts",
  "server/**/*.test.ts",
  "cells/**/*.test.ts",
  "console/src/**/*.test.ts",
  "scripts/**/*.test.ts",
  "sdk/test/**/*.test.ts",
  "cli/test/**/*.test.ts",
  "examples/*.test.ts",
  "docs/test/**/*.test.ts",
  "deploy/*.test.ts",
];

/** The layer over PostgreSQL, and the work of the worker. What requests ask of PostgreSQL is run there by the query plan tests, conformance and the browser. */
const ON_EVERY_POSTGRES = ["server/src/db/", "server/src/platform/jobs/", "server/src/platform/events/webhook-deliveries/"];

const MARKERS = ["@own-process", "@alone", "@long", "@every-postgres"] as const;
type Marker = (typeof MARKERS)[number];

export type TestFiles = { shared: string[]; ownProcess: string[]; alone: string[]; long: string[]; everyPostgres: string[] };

export const findTestFiles = (): TestFiles => {
  const paths = globSync(TEST_FILES, { cwd: ROOT, exclude: ["**/node_modules/**"] }).sort();
  const files = paths.map((path) => ({ path, ...readMarkers(readFileSync(join(ROOT, path), "utf8")) }));
  const pathsOf = (wanted: (file: MarkedFile) => boolean): string[] => files.filter(wanted).map(({ path }) => path);
  const marked = (marker: Marker): string[] => pathsOf(({ markers }) => markers.has(marker));
  return {
    shared: pathsOf(({ markers }) => !markers.has("@own-process") && !markers.has("@alone")),
    ownProcess: marked("@own-process"),
    alone: marked("@alone"),
    long: marked("@long"),
    everyPostgres: pathsOf(runsOnEveryPostgres),
  };
};

export type BrowserTestFiles = { onFixtures: string[]; onService: string[]; long: string[] };

/** Paths relative to the folder of the browser's tests. Times of fixtures are relative to the moment in which they are imported. */
export const findBrowserTestFiles = (): BrowserTestFiles => {
  const folder = join(ROOT, "console/e2e");
  const files = globSync("*.test.ts", { cwd: folder })
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") }));
  const hasFixtures = ({ text }: { text: string }): boolean => /from "\.\/(fixtures-|mock-server|page-states|xss-fixtures)/.test(text);
  const pathsOf = (wanted: (file: { text: string }) => boolean): string[] => files.filter(wanted).map(({ path }) => path);
  return {
    onFixtures: pathsOf(hasFixtures),
    onService: pathsOf((file) => !hasFixtures(file)),
    long: pathsOf(({ text }) => readMarkers(text).markers.has("@long")),
  };
};

type MarkedFile = { path: string; markers: Set<Marker>; usesDatabase: boolean };

const readMarkers = (text: string): Omit<MarkedFile, "path"> => {
  const comment = /^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? "";
  return {
    markers: new Set(MARKERS.filter((marker) => new RegExp(`${marker}\\b`).test(comment))),
    usesDatabase: /\/support\/(test-app|database|tenant-fixtures)\.ts"/.test(text),
  };
};

const runsOnEveryPostgres = ({ path, markers, usesDatabase }: MarkedFile): boolean =>
  markers.has("@every-postgres") || (usesDatabase && ON_EVERY_POSTGRES.some((folder) => path.startsWith(folder)));
