/** What is asked for goes to stdout, everything else to stderr, and all of it through here. Colours only on a terminal. */

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
type Colour = keyof typeof CODES;

const isColoured = ({ isTTY }: NodeJS.WriteStream): boolean => isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";

type ColouredText = { readonly colour: Colour; readonly text: string };
/** A text is never a command to the terminal; only `paint` colours. */
type TerminalText = string | ColouredText;

export const paint = (colour: Colour, text: string): ColouredText => ({ colour, text });

/** Controls, invisible characters, and what turns the direction of the rest. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

const plain = (text: string): string => text.replace(UNSEEN, " ");

const shown = (stream: NodeJS.WriteStream, part: TerminalText): string => {
  if (typeof part === "string") return plain(part);
  const text = plain(part.text);
  return isColoured(stream) ? `\u001b[${CODES[part.colour]}m${text}\u001b[0m` : text;
};

const write = (stream: NodeJS.WriteStream, parts: readonly TerminalText[]): void =>
  void stream.write(`${parts.map((part) => shown(stream, part)).join("")}\n`);

/** One line. */
export const print = (...parts: TerminalText[]): void => write(process.stdout, parts);

export const printLines = (text: string): void => {
  for (const line of text.split("\n")) print(line);
};

/** A sentence of several lines, or one that is painted. */
export const note = (part: TerminalText): void => {
  for (const line of typeof part === "string" ? part.split("\n") : [part]) write(process.stderr, [line]);
};

const escaped = (character: string): string =>
  character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");

/** One value on one line: `--json` gives a line for each row. A program reads the same value; a terminal obeys nothing. */
export const printJson = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value).replace(UNSEEN, escaped)}\n`);

export const clockTime = (moment: Date): string => moment.toTimeString().slice(0, 8);

/** Columns as wide as their widest cell. */
export const columns = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, index) => Math.max(...rows.map((row) => (row[index] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, index) => cell.padEnd(widths[index] ?? 0))
      .join("  ")
      .trimEnd(),
  );
};
