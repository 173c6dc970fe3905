/** Parses PostgreSQL's text values: 64-bit integers as numbers, because JSON has no others; dates as text, because a date is no instant. */
import pg from "pg";

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;

export type Parser = (text: string) => unknown;

const readInteger = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large for a JSON number`);
  return value;
};

const builtInParser = (oid: number): Parser => pg.types.getTypeParser(oid, "text");
const readIntegers = (text: string): number[] => (builtInParser(INT8_ARRAY)(text) as string[]).map(readInteger);
const readText = (text: string): string => text;

const PARSERS = new Map<number, Parser>([
  [INT8, readInteger],
  [INT8_ARRAY, readIntegers],
  [DATE, readText],
]);

export const parserOf = (oid: number): Parser => PARSERS.get(oid) ?? builtInParser(oid);
