/** The parts of Vitest's JSON report that CI reads. */

type TestResult = { fullName: string; status: string };
type FileResult = { name: string; status: string; assertionResults: TestResult[] };

export type TestReport = {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: FileResult[];
  /** Tests that failed first and passed when their file was repeated. */
  passedWhenRepeated?: string[];
};

/** A file without a result was not run: its worker ended before. */
export const failedFiles = ({ testResults }: TestReport): string[] =>
  testResults.filter(({ status, assertionResults }) => status === "failed" || assertionResults.length === 0).map(({ name }) => name);

const countBy = (files: FileResult[], statuses: string[]): number =>
  files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => statuses.includes(status)).length;

/** The repeated files take the place of their earlier results. A test that failed and is not in the second report stays failed. */
export const mergeReports = (first: TestReport, second: TestReport): TestReport => {
  const repeated = new Map(second.testResults.map((file) => [file.name, file]));
  const testResults = first.testResults.map((file) => repeated.get(file.name) ?? file);
  const failed = new Set(failedFiles(first));
  const passedNow = first.testResults
    .filter(({ name }) => failed.has(name) && repeated.get(name)?.status === "passed")
    .flatMap(({ name, assertionResults }) => [
      ...assertionResults.filter(({ status }) => status === "failed").map(({ fullName }) => fullName),
      // A file can fail before its first test.
      ...(assertionResults.some(({ status }) => status === "failed") ? [] : [name]),
    ]);
  return {
    numPassedTests: countBy(testResults, ["passed"]),
    numFailedTests: countBy(testResults, ["failed"]) + failedFiles({ ...first, testResults }).length,
    numPendingTests: countBy(testResults, ["pending", "skipped", "todo"]),
    testResults,
    passedWhenRepeated: [...(first.passedWhenRepeated ?? []), ...passedNow],
  };
};
