/** Checks of a file or a form that find several faults, each under the path of its field. */
import { FAULTS_MAX, type FieldErrors } from "./errors.ts";

export type ReportError = (path: string, sentence: string) => void;

export const collectErrors = (check: (report: ReportError) => void): FieldErrors => {
  const errors: Record<string, string[]> = {};
  let count = 0;
  // A file of three megabytes can have a hundred thousand faults. An answer shows the first of them.
  check((path, sentence) => {
    if (count++ >= FAULTS_MAX) return;
    errors[path] ??= [];
    errors[path].push(sentence);
  });
  return errors;
};

export const keysIn = (rows: readonly { key: string }[]): Set<string> => new Set(rows.map(({ key }) => key));

export type KeyedLists = Record<string, { key: string }[]>;

export const checkUnique = (lists: KeyedLists, report: ReportError): void => {
  for (const [path, rows] of Object.entries(lists)) {
    const seen = new Set<string>();
    for (const { key } of rows) {
      if (seen.has(key)) report(path, `${key} occurs twice.`);
      seen.add(key);
    }
  }
};
