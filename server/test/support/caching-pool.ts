/** A pool that caches the principal of a token: with this fault a revoked token is accepted for a while. */
import pg from "pg";

type LookupCallback = (error: Error | null, result?: unknown) => void;
type TokenLookupQuery = pg.Query & { text: string; values: unknown[]; callback: LookupCallback };
type CachedRows = { result: unknown; until: number };

const isTokenLookup = (query: unknown): query is TokenLookupQuery =>
  query instanceof pg.Query && (query as TokenLookupQuery).text.includes("authenticate(");

export const cachingPool = (pool: pg.Pool, lifeMs = Number.POSITIVE_INFINITY): pg.Pool => {
  const memories = new Map<string, CachedRows>();
  pool.on("connect", (client) => {
    const send = client.query.bind(client) as (...parameters: unknown[]) => unknown;
    const query = (first: unknown, ...rest: unknown[]) => {
      if (!isTokenLookup(first)) return send(first, ...rest);
      const id = `${first.text} ${first.values[0]}`;
      const { callback } = first;
      const known = memories.get(id);
      if (known && known.until > Date.now()) return process.nextTick(callback, null, known.result);
      first.callback = (error, result) => {
        if (error === null) memories.set(id, { result, until: Date.now() + lifeMs });
        callback(error, result);
      };
      return send(first, ...rest);
    };
    client.query = query as typeof client.query;
  });
  return pool;
};
