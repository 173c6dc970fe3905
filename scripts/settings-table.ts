/** The table of settings in the guide for operators, made from those that the service reads. */
import { SETTINGS } from "../server/src/config.ts";

const BEGIN = "<!-- made by `npm run generate` from server/src/config.ts -->";
const END = "<!-- end of what is made -->";

type Setting = { meaning: string; fallback: string | null; without?: string };

const defaultOf = ({ fallback, without }: Setting): string => without ?? (fallback ? `\`${fallback}\`` : "none");

/** Rows of cells as Markdown, in columns of even width. */
export const table = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
};

export const withSettings = (page: string): string => {
  const [before, after] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (before === -1 || after < before) throw new Error("The guide for operators has no place for its table of settings.");
  const rows = Object.entries(SETTINGS as Record<string, Setting>).map(([name, setting]) => [
    `\`${name}\``,
    setting.meaning,
    defaultOf(setting),
  ]);
  return `${page.slice(0, before)}${BEGIN}\n\n${table([["name", "meaning", "default"], ...rows])}\n\n${page.slice(after)}`;
};
