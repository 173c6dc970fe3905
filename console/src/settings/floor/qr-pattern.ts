/** The address that a table's QR code carries. The manager chooses it for this device; there is no page for guests yet. */
import { readStored, writeStored } from "../../ui/stored.ts";

const CODE = "{code}";
const TABLES_PER_SHEET = 12;

const keyOf = (venue: string): string => `comanda.qr-pattern.${venue}`;

export const readPattern = (venue: string, origin: string): string => readStored(keyOf(venue)) ?? `${origin}/t/${CODE}`;

export const writePattern = (venue: string, pattern: string): void => writeStored(keyOf(venue), pattern);

export const isPattern = (pattern: string): boolean => {
  if (!/^https?:\/\//i.test(pattern) || !pattern.includes(CODE)) return false;
  return URL.canParse(addressOfTable(pattern, "1"));
};

export const addressOfTable = (pattern: string, code: string): string => pattern.replaceAll(CODE, () => encodeURIComponent(code));

export type CodedTable<T> = T & { code: string };

/** Sheets of twelve, in the order of the plan. Tables without a code are left out. */
export const sheetsOf = <T extends { code: string | null; is_active: boolean }>(tables: readonly T[]): CodedTable<T>[][] => {
  // Orders refuse the code of a table that is switched off.
  const coded = tables.filter((table): table is CodedTable<T> => table.code !== null && table.is_active);
  return Array.from({ length: Math.ceil(coded.length / TABLES_PER_SHEET) }, (_, sheet) =>
    coded.slice(sheet * TABLES_PER_SHEET, (sheet + 1) * TABLES_PER_SHEET),
  );
};
