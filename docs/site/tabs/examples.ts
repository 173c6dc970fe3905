/** The examples of a page: its blocks in shell, each with the blocks marked `tab` that follow it. */
import { PYTHON, TYPESCRIPT } from "./languages.ts";
import type { ShellExample } from "./translate.ts";

/** `note` is what stands after the language. */
export type Fence = { language: string; note: string; text: string };

/** A block that the page itself has in another language. */
export const isTab = ({ note }: { note: string }): boolean => note === "tab";

const isRun = ({ language, note }: Fence): boolean => language === "sh" && !note.startsWith("no-run");

/** By the place of the block in shell. */
export const examplesOf = (fences: readonly Fence[]): Map<number, ShellExample> =>
  new Map(
    fences.flatMap((fence, place) => {
      if (!isRun(fence)) return [];
      const written: ShellExample["written"] = {};
      for (const tab of fences.slice(place + 1)) {
        if (!isTab(tab)) break;
        const language = [TYPESCRIPT, PYTHON].find((one) => one.fence === tab.language);
        if (language) written[language.name] = tab.text.trimEnd();
      }
      return [[place, { text: fence.text.trimEnd(), written }] as const];
    }),
  );
