/**
 * Rows as a file for spreadsheets. Every text is quoted, and none is a formula: at its start, and where a program that expects semicolons or
 * tabs would begin another cell.
 */

/** The wide forms are included, because some programs read them as the narrow ones. */
const FORMULA = String.raw`[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]`;
const UNSEEN = String.raw`[\s\p{Cc}\p{Cf}]*`;
const AT_START = new RegExp(String.raw`^(?=[\t\r\n]|${UNSEEN}${FORMULA})`, "u");
const AFTER_SEPARATOR = new RegExp(String.raw`([;\t\r\n]${UNSEEN}"*)(?=${FORMULA})`, "gu");

/** An apostrophe makes a text of what would be a formula; numbers stay numbers. */
const cellOf = (value: string | number): string => {
  if (typeof value === "number") return String(value);
  const text = value.replace(AT_START, "'").replace(AFTER_SEPARATOR, "$1'");
  return `"${text.replaceAll('"', '""')}"`;
};

/** Excel recognizes UTF-8 by the mark in front. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
