/** Asks for what test files share. The first that asks waits until it is made. */

const MAKE_MS_MAX = 120_000;

const ask = async <T>(address: string, part: string, name: string): Promise<T> => {
  const response = await fetch(`${address}/${part}?name=${encodeURIComponent(name)}`, { signal: AbortSignal.timeout(MAKE_MS_MAX) });
  if (!response.ok) throw new Error(`${part} ${name}: ${await response.text()}`);
  return (await response.json()) as T;
};

export type SharedPostgres = {
  /** A superuser's. */
  adminUrl: string;
  /** The database to copy; it must have no connections. */
  template: string;
};

export const sharedPostgres = (which: "usual" | "oldest"): Promise<SharedPostgres> =>
  ask(process.env.TEST_SHARED_PARTS ?? "", "postgres", which);

/** The program as one file, which starts in a third of the time and runs the same source. Benchmarks, and what else is no test, get the source. */
export const bundled = async (file: string): Promise<string> => {
  const address = process.env.TEST_SHARED_PARTS;
  return address === undefined ? file : (await ask<{ bundle: string }>(address, "program", file)).bundle;
};
