/** Tables for people, JSON for programs. Guests write some of it, so nothing that a terminal would obey is printed. */
import { parseDatabaseUrl } from "#lib/database-url.ts";
import { ApiError, UserError } from "#lib/errors.ts";
import { escapedJson, plainLine, plainText } from "#lib/plain-text.ts";

export type TableCell = string | number | boolean | Date | null | undefined | string[];

const CELL_LENGTH_MAX = 200;

const show = (cell: TableCell): string => {
  if (cell === null || cell === undefined || cell === "") return "–";
  if (cell instanceof Date) return cell.toISOString().slice(0, 19).replace("T", " ");
  return plainLine(Array.isArray(cell) ? cell.join(" ") : String(cell), CELL_LENGTH_MAX) || "–";
};

/** Columns as wide as their widest entry; a header in capitals. */
export const table = (rows: Record<string, TableCell>[]): string => {
  const [sample] = rows;
  if (!sample) return "nothing to show";
  const columns = Object.keys(sample);
  const lines = [
    columns.map((column) => column.replaceAll("_", " ").toUpperCase()),
    ...rows.map((row) => columns.map((column) => show(row[column]))),
  ];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => [...(line[index] ?? "")].length)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
};

/** `1 row`, `2 rows`. */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Prints beside the answer what a command does, and where. */
export const note = (text: string): void => void process.stderr.write(`${plainText(text)}\n`);

/** `--json` prints exactly one value and nothing else. */
export const print = (asJson: boolean, value: unknown, forPeople: () => string): void => {
  process.stdout.write(`${asJson ? escapedJson(JSON.stringify(value, null, 2)) : plainText(forPeople())}\n`);
};

/** Printed before a command does anything, so that wrong settings in the shell are seen. */
export const printDatabase = (url: string, cell: number | null = null): void => {
  const parsed = parseDatabaseUrl(url);
  if (typeof parsed === "string") return;
  const ofCell = cell === null ? "" : `, cell ${cell}`;
  note(`PostgreSQL at ${parsed.hosts}, database ${parsed.database}${ofCell}`);
};

/** Shows the refusals that the API would send, as a sentence. */
export const withApiErrors = async <T>(work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = Object.entries(error.details).map(([field, sentences]) => `${field}: ${String(sentences)}`);
    throw new UserError([error.message, ...details].join("\n  "));
  }
};
