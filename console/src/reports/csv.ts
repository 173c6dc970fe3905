/** Rows as a file for spreadsheets. */
const FORMULA = /^[=+\-@\t\r]/;

/** A text that a spreadsheet would take for a formula gets an apostrophe in front; numbers stay numbers. */
const cellOf = (value: string | number): string => {
  if (typeof value === "number") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** The mark in front tells Excel that it is UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number)[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(cellOf).join(",")).join("\r\n")}\r\n`;
