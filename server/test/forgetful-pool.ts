/** A pool that remembers whom a token belongs to: the fault that lets revoked tokens in for a while. */
import type pg from "pg";

type Memory = { answer: Promise<unknown>; until: number };

export const forgetfulPool = (pool: pg.Pool, lifeMs = Number.POSITIVE_INFINITY): pg.Pool => {
  const memories = new Map<unknown, Memory>();
  const ask = pool.query.bind(pool) as (statement: unknown) => Promise<unknown>;
  const query = async (statement: { text?: string; values?: unknown[] }) => {
    if (!statement.text?.includes("authenticate(")) return ask(statement);
    const [id] = statement.values ?? [];
    const known = memories.get(id);
    if (known && known.until > Date.now()) return known.answer;
    const answer = ask(statement);
    memories.set(id, { answer, until: Date.now() + lifeMs });
    return answer;
  };
  pool.query = query as unknown as typeof pool.query;
  return pool;
};
