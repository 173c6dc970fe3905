/** What the service really sends to PostgreSQL for one request, statement by statement, taken off its own connections. */
import { setImmediate } from "node:timers/promises";
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
  /** What an earlier request left behind without waiting for it, such as the note that a token was used, is not part of the next one. */
  const untilIdle = async (): Promise<void> => {
    do await setImmediate();
    while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount);
  };
  return {
    pool,
    async during(work) {
      await untilIdle();
      const mine: RecordedStatement[] = [];
      sent = mine;
      const result = await work();
      sent = null;
      return { result, sent: mine };
    },
  };
};
