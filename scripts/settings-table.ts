/** Writes the table of settings in the guide for operators, and the list of those that compose.yaml passes on. */
import { SETTINGS, type SettingEntry } from "../server/src/settings.ts";

const GUIDE_BEGIN = "<!-- made by `npm run generate` from server/src/settings.ts -->";
const GUIDE_END = "<!-- end of what is made -->";
const COMPOSE_BEGIN = "    # made by `npm run generate`: an empty value is none, and the service's own default holds";
const COMPOSE_END = "    # end of what is made";

const entries: [string, SettingEntry<unknown>][] = Object.entries(SETTINGS);

const defaultOf = ({ without, ...setting }: SettingEntry<unknown>): string =>
  without ?? (setting.default ? `\`${setting.default}\`` : "none");

/** A Markdown table with columns of even width. */
export const table = (rows: string[][]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (cells: string[]): string => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
};

/** The text before the first mark, and the text from the second one on. */
export const splitAt = (text: string, begin: string, end: string): [string, string] => {
  const [before, after] = [text.indexOf(begin), text.indexOf(end)];
  if (before === -1 || after < before) throw new Error(`There is no place for a table between "${begin}" and "${end}".`);
  return [text.slice(0, before), text.slice(after)];
};

export const withSettings = (page: string): string => {
  const [before, after] = splitAt(page, GUIDE_BEGIN, GUIDE_END);
  const rows = entries.map(([name, setting]) => [`\`${name}\``, setting.meaning, defaultOf(setting)]);
  return `${before}${GUIDE_BEGIN}\n\n${table([["name", "meaning", "default"], ...rows])}\n\n${after}`;
};

/** Settings that compose.yaml gives a value of its own stand before the mark and are left out. */
export const withComposeSettings = (file: string): string => {
  const [before, after] = splitAt(file, COMPOSE_BEGIN, COMPOSE_END);
  const lines = entries
    .filter(([name, { readBy, fixedInImage }]) => !readBy && !fixedInImage && !before.includes(`\n    ${name}: `))
    .map(([name]) => `    ${name}: \${${name}:-}\n`);
  return `${before}${COMPOSE_BEGIN}\n${lines.join("")}${after}`;
};
