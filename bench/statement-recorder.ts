/** What the service really sends to PostgreSQL for one request, statement by statement, taken off its own connections. */
import type pg from "pg";

export type RecordedStatement = { text: string; values: readonly unknown[] };

type RecordedQuery = string | { text: string; values?: readonly unknown[] };

export type Recorder = { pool: pg.Pool; during<T>(work: () => Promise<T>): Promise<{ result: T; sent: RecordedStatement[] }> };

export const recordStatements = (pool: pg.Pool): Recorder => {
  let sent: RecordedStatement[] | null = null;
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    (client as { query: unknown }).query = (...parameters: unknown[]) => {
      const asked = parameters[0] as RecordedQuery;
      const text = typeof asked === "string" ? asked : asked.text;
      if (sent && text) sent.push({ text, values: typeof asked === "string" ? [] : (asked.values ?? []) });
      return query(...parameters);
    };
  });
  return {
    pool,
    async during(work) {
      const mine: RecordedStatement[] = [];
      sent = mine;
      const result = await work();
      sent = null;
      return { result, sent: mine };
    },
  };
};
