/** Runs what the site shows beside the curl examples of a page: the same examples in TypeScript and in Python, as one program each. Commands of the operator run in between. */
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { examplesOf, type TabLanguage } from "../site/tabs.ts";
import { type DocPage, EXPECTED, findShown, ROOT } from "./blocks.ts";
import type { GuideEnvironment } from "./guide-environment.ts";
import { fillIn, scriptOfBlock, shellVariables, statusOf } from "./run-shell.ts";

/** A step of a page: an example in the language, or a block in shell that an operator runs in between. */
export type TabStep = { tab: string } | { command: string };

export const stepsOf = ({ blocks }: DocPage, language: TabLanguage): TabStep[] => {
  const fences = blocks.map(({ language: mark, note, skip, text }) => ({
    language: mark,
    note: skip ? `${skip.kind}: ${skip.why}` : note,
    text,
  }));
  return [...examplesOf(fences).values()].flatMap(({ text, tabs }): TabStep[] => {
    const tab = tabs[language.name];
    if (tab !== undefined) return [{ tab }];
    return text.includes("npm run -s comanda-admin") ? [{ command: text }] : [];
  });
};

/** The blocks of the page that there are in this language. */
export const tabsOf = (page: DocPage, language: TabLanguage): string[] =>
  stepsOf(page, language).flatMap((step) => ("tab" in step ? [step.tab] : []));

/** Without blocking: while it waits, the program must see that the service closes a connection that nothing uses. */
const RUN_FILE = `(await import("node:util")).promisify((await import("node:child_process")).execFile)`;

/** What runs a command's script and takes over the variables that it has exported. */
const RUN_COMMAND = {
  TypeScript: (script: string) =>
    `Object.assign(process.env, JSON.parse((await ${RUN_FILE}("bash", ["${script}"])).stdout.trim().split("\\n").at(-1) ?? ""));`,
  Python: (script: string) =>
    `os.environ.update(json.loads(__import__("subprocess").run(["bash", "${script}"], stdout=-1, text=True, check=True).stdout.strip().split("\\n")[-1]))`,
};

/** The code that an owner's consent returns, for the values that the program has sent. */
const CODE = {
  TypeScript: `(await ${RUN_FILE}(process.execPath, ["${ROOT}/docs/test/allow-app.ts", clientId, challenge, state])).stdout.trim()`,
  Python: `__import__("subprocess").run(["${process.execPath}", "${ROOT}/docs/test/allow-app.ts", client_id, challenge, state], stdout=-1, text=True, check=True).stdout.strip()`,
};

const programOf = (steps: TabStep[], language: TabLanguage, environment: GuideEnvironment, folder: string): string => {
  const isUsed = steps.some((step) => "tab" in step);
  const parts = steps.flatMap((step, index) => {
    if ("tab" in step) return [fillIn(step.tab.replace('"svc_ac_…"', CODE[language.name]), environment)];
    const script = join(folder, `${index}.sh`);
    writeFileSync(script, scriptOfBlock(step.command, environment));
    return [RUN_COMMAND[language.name](script)];
  });
  // Python needs its imports first.
  return isUsed ? (language.name === "Python" ? ["import json, os", ...parts] : parts).join("\n\n") : "";
};

/** The program behind the name: what a version manager puts in its place starts a shell first. */
let python: string | null = null;
const findPython = (): string =>
  (python ??= execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim());

const run = (language: TabLanguage, steps: TabStep[], environment: GuideEnvironment): Promise<{ output: string; fault: string | null }> => {
  const folder = mkdtempSync(join(environment.folder, "tabs-"));
  const file = join(folder, language.name === "Python" ? "guide.py" : "guide.mts");
  const program = programOf(steps, language, environment, folder);
  writeFileSync(file, program);
  const command = language.name === "Python" ? findPython() : process.execPath;
  const env = { ...shellVariables(environment), PYTHONIOENCODING: "utf-8", OUT: folder };
  return new Promise((resolve) => {
    execFile(command, [file], { env, timeout: 120_000 }, (error, output, errors) =>
      resolve({ output, fault: error === null ? null : `ended with ${error.code}: ${errors}\n${program}` }),
    );
  });
};

export const runTabs = async (page: DocPage, language: TabLanguage, environment: GuideEnvironment): Promise<string[]> => {
  environment.calls.length = 0;
  const aboutIgnored = page.text.includes("Service-Ignored: ");
  const { output, fault } = await run(language, stepsOf(page, language), environment);
  const tabs = tabsOf(page, language);
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
    ...(aboutIgnored ? [] : environment.calls).flatMap(({ method, path, problems }) =>
      problems.map((problem) => `${method} ${path}: ${problem}`),
    ),
  ];
};
