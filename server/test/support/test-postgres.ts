/** The PostgreSQL of this run. The first test that asks waits for its start, and for the migration of the database that is cloned. */
import { inject } from "vitest";

export type TestPostgres = {
  /** A superuser's. */
  adminUrl: string;
  /** The database to copy; it must have no connections. */
  template: string;
};

const START_MS_MAX = 120_000;

const ask = async (): Promise<TestPostgres> => {
  const response = await fetch(inject("postgresStarter"), { signal: AbortSignal.timeout(START_MS_MAX) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as TestPostgres;
};

let asked: Promise<TestPostgres> | null = null;

export const testPostgres = (): Promise<TestPostgres> => (asked ??= ask());
