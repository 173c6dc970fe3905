/** `npm run check` refuses comments that open with a fragment. A comment is a sentence: it begins with its subject or its verb. */
import { projectFiles, type TextFile } from "./vocabulary.ts";

const OPENING =
  /^(?:For|Of|To|By|Those|That|The same|And|Or|Nor|But|With|Also|From|Into|Than|Likewise|Not|So that|Including|In which|In the order|In their|As above|As if)\b/;

/** The text of a block may begin in the line after its mark. */
const BLOCK = /\/\*\*?[ \n]+(?:\* )?([^\n]*)/g;
const SLASHES = /(?:^|[\s;,{])\/\/ (.*)/;
const DASHES = /^\s*-- (.*)/;
const IS_ALONE = /^\s*(?:\/\/|--)/;

type OpenedComment = { line: number; text: string };

const openedBlocks = (text: string): OpenedComment[] =>
  [...text.matchAll(BLOCK)].map((found) => ({ line: text.slice(0, found.index).split("\n").length, text: found[1] ?? "" }));

/** Neighbouring lines are one comment, which the first of them opens. */
const openedLines = (text: string, mark: RegExp): OpenedComment[] => {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    const [, opening] = mark.exec(line) ?? [];
    const continues = IS_ALONE.test(line) && IS_ALONE.test(lines[at - 1] ?? "");
    return opening === undefined || continues ? [] : [{ line: at + 1, text: opening }];
  });
};

const openedIn = ({ path, text }: TextFile): OpenedComment[] => {
  if (path.endsWith(".sql")) return openedLines(text, DASHES);
  return /[.](ts|tsx|mjs|css)$/.test(path) ? [...openedBlocks(text), ...openedLines(text, SLASHES)] : [];
};

export const fragmentComments = (files: readonly TextFile[]): string[] =>
  files.flatMap((file) =>
    openedIn(file)
      .filter(({ text }) => OPENING.test(text))
      .map(({ line, text }) => `${file.path}:${line} opens a comment with a fragment: ${text}`),
  );

if (import.meta.main) {
  const faults = fragmentComments(projectFiles());
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  process.exit(faults.length === 0 ? 0 : 1);
}
