/**
 * Detects a pooler in transaction or statement mode at start. It would break what belongs to a session: prepared statements, settings
 * and the workers' locks.
 */
import type pg from "pg";
import { UserError } from "#lib/errors.ts";
import { reachPrimary } from "./primary-server.ts";

const ROUNDS = 3;

const backendOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return rows[0]?.pid ?? 0;
};

/** Two open sessions alternate. Each must always reach the same server process, and not the other's. */
const haveOwnBackends = async (one: pg.Client, other: pg.Client): Promise<boolean> => {
  const seen = [new Set<number>(), new Set<number>()] as const;
  for (let round = 0; round < ROUNDS; round++) {
    seen[0].add(await backendOf(one));
    seen[1].add(await backendOf(other));
  }
  const [first, second] = seen;
  return first.size === 1 && second.size === 1 && first.isDisjointFrom(second);
};

export const refuseSharedSessions = async (url: string): Promise<void> => {
  const one = await reachPrimary(url);
  try {
    const other = await reachPrimary(url);
    try {
      if (await haveOwnBackends(one, other)) return;
    } finally {
      await other.end();
    }
  } finally {
    await one.end();
  }
  throw new UserError(
    "DATABASE_URL leads to a pooler in transaction or statement mode, which takes a session's settings, prepared statements and locks away. Set it to session mode (pgbouncer: pool_mode = session), or name PostgreSQL itself.",
  );
};
