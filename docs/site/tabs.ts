/**
 * Examples in other languages: the blocks marked `tab` after a block in shell. Blocks marked `tab begin` follow the lines that the quick
 * start begins with, which the page does not repeat.
 */
import { readFileSync } from "node:fs";

/** `note` is what stands after the language. */
export type Fence = { language: string; note: string; text: string };

export type TabLanguage = { name: "TypeScript" | "Python"; fence: string };

export const TYPESCRIPT: TabLanguage = { name: "TypeScript", fence: "ts" };
export const PYTHON: TabLanguage = { name: "Python", fence: "python" };
export const TAB_LANGUAGES = [TYPESCRIPT, PYTHON] as const;

const BEGIN = "tab begin";

export const isTab = ({ note }: { note: string }): boolean => note === "tab" || note === BEGIN;

/** The first lines of every program, from the first page that a reader comes to. */
const firstLines = ({ fence }: TabLanguage): string => {
  const page = readFileSync(new URL("../guide/developer/quick-start.md", import.meta.url), "utf8");
  const lines = new RegExp(`^\`\`\`${fence} tab\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page)?.[1];
  if (lines === undefined) throw new Error(`The quick start shows no first lines in ${fence}.`);
  return lines;
};

export type ShellExample = { text: string; tabs: Partial<Record<TabLanguage["name"], string>> };

/** The examples of a page by the places of their blocks in shell. */
export const examplesOf = (fences: readonly Fence[]): Map<number, ShellExample> =>
  new Map(
    fences.flatMap(({ language, note, text }, place) => {
      if (language !== "sh" || note.startsWith("no-run")) return [];
      const tabs: ShellExample["tabs"] = {};
      for (const tab of fences.slice(place + 1)) {
        if (!isTab(tab)) break;
        const written = TAB_LANGUAGES.find((one) => one.fence === tab.language);
        if (written) tabs[written.name] = (tab.note === BEGIN ? `${firstLines(written)}\n${tab.text}` : tab.text).trimEnd();
      }
      return [[place, { text: text.trimEnd(), tabs }] as const];
    }),
  );
