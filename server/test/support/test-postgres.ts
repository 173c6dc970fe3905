/** The PostgreSQL of this test file. The first test that asks waits for its start, and for the migration of the database that is cloned. */
import { expect, inject } from "vitest";

export type TestPostgres = {
  /** A superuser's. */
  adminUrl: string;
  /** The database to copy; it must have no connections. */
  template: string;
};

const START_MS_MAX = 120_000;

const ask = async (which: string): Promise<TestPostgres> => {
  const response = await fetch(`${inject("postgresStarter")}/${which}`, { signal: AbortSignal.timeout(START_MS_MAX) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestPostgres;
};

/** Many files share a process. */
const asked = new Map<string, Promise<TestPostgres>>();

export const testPostgres = (): Promise<TestPostgres> => {
  const which = inject("filesOnOldestPostgres").includes(expect.getState().testPath ?? "") ? "oldest" : "usual";
  const answer = asked.get(which) ?? ask(which);
  asked.set(which, answer);
  return answer;
};
