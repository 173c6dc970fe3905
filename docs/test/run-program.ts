/** Runs the TypeScript blocks of one page as one module: type-checked, then run with the SDK as published. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, EXPECTED, findShown, ROOT } from "./blocks.ts";
import type { GuideEnvironment } from "./guide-environment.ts";
import { fillIn } from "./run-shell.ts";

type ProgramOutcome = { code: number; output: string; errors: string };

const run = (command: string, parameters: string[], cwd: string, environment: Record<string, string> = {}): Promise<ProgramOutcome> =>
  new Promise((resolve) => {
    execFile(command, parameters, { cwd, env: { PATH: process.env.PATH, ...environment }, timeout: 280_000 }, (error, output, errors) =>
      resolve({ code: error === null ? 0 : 1, output, errors }),
    );
  });

const COMPILER = {
  module: "nodenext",
  target: "es2024",
  lib: ["es2024", "dom", "dom.asynciterable"],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ["node"],
  typeRoots: [`${ROOT}/node_modules/@types`],
};

export const runProgram = async (blocks: Block[], environment: GuideEnvironment, sdkFolder: string): Promise<string[]> => {
  if (blocks.length === 0) return [];
  const folder = mkdtempSync(join(environment.folder, "program-"));
  cpSync(join(sdkFolder, "node_modules"), join(folder, "node_modules"), { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER, files: ["guide.ts"] }));
  writeFileSync(join(folder, "guide.ts"), `${blocks.map(({ text }) => fillIn(text, environment)).join("\n\n")}\nexport {};\n`);
  const compiled = await run("tsc", ["-p", folder], folder);
  if (compiled.code !== 0) return [`does not compile: ${compiled.output}`];
  const { code, output, errors } = await run(process.execPath, ["guide.ts"], folder, environment.variables);
  const faults = code === 0 ? [] : [`ended with ${code}: ${errors}`];
  let from = 0;
  for (const line of blocks.flatMap(({ text }) => text.split("\n"))) {
    const shown = EXPECTED.exec(line)?.[1];
    if (shown === undefined) continue;
    const next = findShown(output, shown, from);
    if (next === -1) faults.push(`the page shows "${shown}", but the output is: ${output.slice(0, 600)}`);
    else from = next;
  }
  return faults;
};
