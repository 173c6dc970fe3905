/** The address that a table's QR code carries: a page of the venue's own, because the service has none for guests. It is kept on this device. */
import { readStored, writeStored } from "#kit/stored.ts";

const CODE = "{code}";
const TABLES_PER_SHEET = 12;

const keyOf = (venue: string): string => `comanda.qr-pattern.${venue}`;

/** Empty until the manager has printed with an address. */
export const readPattern = (venue: string): string => readStored(keyOf(venue)) ?? "";

export const writePattern = (venue: string, pattern: string): void => writeStored(keyOf(venue), pattern);

export type PatternProblem = "wrong" | "ownService";

/** `origin` is that of the console: nothing there is for guests, so a code would lead to a page that does not exist. */
export const patternProblem = (pattern: string, origin: string): PatternProblem | null => {
  if (!/^https?:\/\//i.test(pattern) || !pattern.includes(CODE)) return "wrong";
  const address = addressOfTable(pattern, "1");
  if (!URL.canParse(address)) return "wrong";
  return new URL(address).origin === origin ? "ownService" : null;
};

export const addressOfTable = (pattern: string, code: string): string => pattern.replaceAll(CODE, () => encodeURIComponent(code));

export type CodedTable<T> = T & { code: string };

type SheetTable = { code: string | null; is_active: boolean };
/** Orders refuse the code of a table that is switched off. */
const isOnSheet = <T extends SheetTable>(table: T): table is CodedTable<T> => table.code !== null && table.is_active;

/** What the sheets do not have, so that people do not look for it at the printer. */
export const leftOutOf = <T extends SheetTable>(tables: readonly T[]): T[] => tables.filter((table) => !isOnSheet(table));

/** Sheets of twelve, in the order of the plan. */
export const sheetsOf = <T extends SheetTable>(tables: readonly T[]): CodedTable<T>[][] => {
  const coded = tables.filter(isOnSheet);
  return Array.from({ length: Math.ceil(coded.length / TABLES_PER_SHEET) }, (_, sheet) =>
    coded.slice(sheet * TABLES_PER_SHEET, (sheet + 1) * TABLES_PER_SHEET),
  );
};
