/** Runs what the site shows beside the curl examples of a page: the same examples in TypeScript and in Python, as one program each. */
import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Language, PYTHON, TYPESCRIPT } from "../site/tabs/languages.ts";
import { translated } from "../site/tabs/translate.ts";
import { type DocPage, EXPECTED, findShown } from "./blocks.ts";
import type { GuideEnvironment } from "./guide-environment.ts";
import { fillIn, statusOf } from "./run-shell.ts";

export const LANGUAGES = [TYPESCRIPT, PYTHON] as const;

/** The blocks of the page that could be written in this language. */
export const tabsOf = ({ blocks }: DocPage, language: Language): string[] => {
  const shell = blocks.filter((block) => block.language === "sh" && block.skip?.kind !== "no-run");
  return translated(
    shell.map(({ text }) => text),
    language,
  ).filter((tab) => tab !== null);
};

const run = (
  language: Language,
  program: string,
  { folder, variables }: GuideEnvironment,
): Promise<{ output: string; fault: string | null }> => {
  const file = join(mkdtempSync(join(folder, "tabs-")), language.name === "Python" ? "guide.py" : "guide.mts");
  writeFileSync(file, program);
  const command = language.name === "Python" ? "python3" : process.execPath;
  return new Promise((resolve) => {
    execFile(command, [file], { env: { ...variables, PYTHONIOENCODING: "utf-8" }, timeout: 120_000 }, (error, output, errors) =>
      resolve({ output, fault: error === null ? null : `ended with ${error.code}: ${errors}\n${program}` }),
    );
  });
};

export const runTabs = async (tabs: string[], language: Language, environment: GuideEnvironment): Promise<string[]> => {
  environment.calls.length = 0;
  const { output, fault } = await run(language, fillIn(tabs.join("\n\n"), environment), environment);
  const faults = fault === null ? [] : [fault];
  let from = 0;
  for (const line of tabs.flatMap((tab) => tab.split("\n"))) {
    const shown = EXPECTED.exec(line)?.[1];
    if (shown === undefined) continue;
    const { status, text } = statusOf(shown);
    if (status !== null && !environment.calls.some((call) => call.status === status)) faults.push(`no call answered ${status}`);
    const next = findShown(output, text, from);
    if (next === -1) faults.push(`the tab shows "${text}", but the output is: ${output.slice(0, 600)}`);
    else from = next;
  }
  return [
    ...faults,
    ...environment.calls.flatMap(({ method, path, problems }) => problems.map((problem) => `${method} ${path}: ${problem}`)),
  ];
};
