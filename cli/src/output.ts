/** What is asked for goes to stdout, everything else to stderr. Colours only on a terminal. */

const CODES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;
type Colour = keyof typeof CODES;

const isColoured = ({ isTTY }: NodeJS.WriteStream): boolean => isTTY && !process.env.NO_COLOR && process.env.TERM !== "dumb";

/** For stdout. */
export const paint = (colour: Colour, text: string): string =>
  isColoured(process.stdout) ? `\u001b[${CODES[colour]}m${text}\u001b[0m` : text;

/** What guests and other programs wrote must not command the terminal. */
export const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}]/gu, " ");

export const print = (line: string): void => void process.stdout.write(`${line}\n`);
export const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** One value on one line: `--json` gives a line for each row. */
export const printJson = (value: unknown): void => print(JSON.stringify(value));

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
