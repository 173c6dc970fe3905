/** What the service really sends to PostgreSQL for one request, statement by statement, taken off its own connections. */
import type pg from "pg";

export type Sent = { text: string; values: readonly unknown[] };

type Asked = string | { text: string; values?: readonly unknown[] };

export type Recorder = { pool: pg.Pool; during<T>(work: () => Promise<T>): Promise<{ result: T; sent: Sent[] }> };

export const recordStatements = (pool: pg.Pool): Recorder => {
  let sent: Sent[] | null = null;
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    (client as { query: unknown }).query = (...parameters: unknown[]) => {
      const asked = parameters[0] as Asked;
      const text = typeof asked === "string" ? asked : asked.text;
      if (sent && text) sent.push({ text, values: typeof asked === "string" ? [] : (asked.values ?? []) });
      return query(...parameters);
    };
  });
  return {
    pool,
    async during(work) {
      const mine: Sent[] = [];
      sent = mine;
      const result = await work();
      sent = null;
      return { result, sent: mine };
    },
  };
};
