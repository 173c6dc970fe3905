/** Runs the TypeScript blocks of one page as one module: type-checked, then run with the SDK as published. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Block, type DocPage, EXPECTED, findShown, isOf, ROOT } from "./blocks.ts";
import type { GuideEnvironment } from "./guide-environment.ts";
import { fillIn } from "./run-shell.ts";

type ProgramOutcome = { code: number; output: string; errors: string };

/** What the compiler says of the program of a page; nothing when it compiles. */
export type TypeFaults = Map<DocPage, string>;

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

/** A folder in that of the built SDK, where a program finds its modules. */
const programFolder = (sdkFolder: string): string => {
  const folder = mkdtempSync(join(sdkFolder, "program-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  return folder;
};

const programOf = (blocks: Block[], fill = (text: string): string => text): string =>
  `${blocks.map(({ text }) => fill(text)).join("\n\n")}\nexport {};\n`;

/** All pages at once: the compiler takes most of its time for the types that they share. */
export const findTypeFaults = async (pages: DocPage[], sdkFolder: string): Promise<TypeFaults> => {
  const folder = programFolder(sdkFolder);
  const names = new Map(pages.map((page, index) => [`guide-${index}.ts`, page]));
  for (const [name, { blocks }] of names) writeFileSync(join(folder, name), programOf(blocks.filter(isOf("ts"))));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER, files: [...names.keys()] }));
  const { code, output } = await run("tsc", ["-p", folder], folder);
  const faults: TypeFaults = new Map();
  let page: DocPage | undefined;
  for (const line of output.split("\n")) {
    page = names.get(/^(guide-\d+\.ts)\(/.exec(line)?.[1] ?? "") ?? page;
    if (page) faults.set(page, `${faults.get(page) ?? ""}${line}\n`);
  }
  if (code !== 0 && faults.size === 0) throw new Error(`The compiler failed: ${output}`);
  return faults;
};

export const runProgram = async (page: DocPage, environment: GuideEnvironment, sdkFolder: string, types: TypeFaults): Promise<string[]> => {
  const blocks = page.blocks.filter(isOf("ts"));
  if (blocks.length === 0) return [];
  const typeFault = types.get(page);
  if (typeFault !== undefined) return [`does not compile: ${typeFault}`];
  const folder = programFolder(sdkFolder);
  writeFileSync(
    join(folder, "guide.ts"),
    programOf(blocks, (text) => fillIn(text, environment)),
  );
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
