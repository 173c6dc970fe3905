/** The code blocks of a Markdown page, with the words after the language. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Why a block is skipped: `no-run: …` gives the reason, `tested-by: …` the file that runs it. */
export type SkipReason = { kind: "no-run" | "tested-by"; why: string };

export type Block = {
  page: string;
  line: number;
  language: string;
  /** A word after the language, such as the shape of some JSON. */
  note: string;
  skip: SkipReason | null;
  text: string;
};

export type DocPage = { path: string; text: string; blocks: Block[] };

export const guidePaths = (): string[] =>
  readdirSync(`${ROOT}/docs/guide`, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => `docs/guide/${name}`);

/** The file of a guide by the last part of its address. */
export const guidePath = (name: string): string => guidePaths().find((path) => path.endsWith(`/${name}.md`)) ?? `docs/guide/${name}.md`;

export const pagePaths = (): string[] => ["README.md", "sdk/README.md", ...guidePaths()];

export const readPage = (path: string): DocPage => pageOf(path, readFileSync(`${ROOT}/${path}`, "utf8"));

export const pageOf = (path: string, text: string): DocPage => {
  const blocks: Block[] = [];
  let open: { block: Block; lines: string[] } | null = null;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^```(.*)$/.exec(line);
    if (open === null && fence) open = { block: blockOf(path, index + 1, fence[1] ?? ""), lines: [] };
    else if (open !== null && line === "```") {
      blocks.push({ ...open.block, text: open.lines.join("\n") });
      open = null;
    } else open?.lines.push(line);
  }
  return { path, text, blocks };
};

const blockOf = (page: string, line: number, info: string): Block => {
  const [, language = "", rest = ""] = /^(\S*)\s*(.*)$/.exec(info) ?? [];
  const [, kind, why = ""] = /^(no-run|tested-by):\s*(.*)$/.exec(rest) ?? [];
  const skip = kind === undefined ? null : { kind: kind as SkipReason["kind"], why };
  return { page, line, language, note: skip ? "" : rest, skip, text: "" };
};

/** The blocks in these languages that are run where they stand. */
export const isOf =
  (...languages: string[]) =>
  ({ language, skip, note }: Block): boolean =>
    skip === null && !note.startsWith("tab") && languages.includes(language);

/** Expected output: in shell after `# ->`, in TypeScript after `// ->`. An ellipsis matches any text. */
export const EXPECTED = /^\s*(?:#|\/\/) -> (.*)$/;

/** The end of the first match of the shown text at or after `from`; -1 without one. Any white space matches any other. */
export const findShown = (output: string, shown: string, from = 0): number => {
  const pattern = shown
    .trim()
    .split("…")
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(/\s+/g, "\\s+"))
    .join("[\\s\\S]*?");
  const found = new RegExp(pattern).exec(output.slice(from));
  return found ? from + found.index + found[0].length : -1;
};
