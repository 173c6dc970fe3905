/** The examples in TypeScript are pasted into projects with `strict`, so all of them are compiled by it, each page as one module. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TYPESCRIPT } from "../site/tabs.ts";
import { pagePaths, ROOT, readPage } from "./blocks.ts";
import { tabsOf } from "./run-tabs.ts";

/** Without the browser's types: there `Response.json()` gives `any`, in Node `unknown`. */
const COMPILER = {
  strict: true,
  module: "nodenext",
  target: "es2024",
  lib: ["es2024"],
  noEmit: true,
  skipLibCheck: true,
  types: ["node"],
  typeRoots: [`${ROOT}/node_modules/@types`],
};

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "comanda-tabs-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compile = (programs: Map<string, string>): Promise<string> => {
  for (const [name, program] of programs) writeFileSync(join(folder, name), `${program}\nexport {};\n`);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER, files: [...programs.keys()] }));
  return new Promise((resolve) => {
    execFile("tsc", ["-p", folder], { cwd: folder }, (error, output) => resolve(error === null ? "" : output));
  });
};

test("what a page shows in TypeScript compiles with strict", async () => {
  const programs = new Map(
    pagePaths().flatMap((path) => {
      const tabs = tabsOf(readPage(path), TYPESCRIPT);
      return tabs.length === 0 ? [] : [[`${path.replaceAll("/", "-")}.mts`, tabs.join("\n\n")] as const];
    }),
  );
  expect(programs.size).toBeGreaterThan(12);
  expect(await compile(programs)).toBe("");
  const [name, program] = [...programs].find(([, text]) => text.includes("find((item: Json)")) ?? ["", ""];
  const planted = new Map([[name, program.replace("find((item: Json)", "find((item)")]]);
  expect(await compile(planted)).toContain("implicitly has an 'any' type");
});
