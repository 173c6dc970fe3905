/** Everything that is kept, as text: all tables of all schemas, and all of Redis. */
import { Redis } from "ioredis";
import pg from "pg";
import type { TestDatabase } from "./database.ts";
import { testPostgres } from "./test-postgres.ts";

/** As the superuser, so that no schema and no row is left out; bytes are written in hex. */
export const dumpDatabase = async ({ ownerUrl }: TestDatabase): Promise<{ tables: number; rows: number; text: string }> => {
  const url = new URL((await testPostgres()).adminUrl);
  url.pathname = new URL(ownerUrl).pathname;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_toast%' order by 1`,
    );
    const lines: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
      lines.push(...rows.map(({ text }) => `${name} ${text}`));
    }
    return { tables: tables.length, rows: lines.length, text: lines.join("\n") };
  } finally {
    await client.end();
  }
};

export const dumpRedis = async (url: string): Promise<{ keys: number; text: string }> => {
  const redis = new Redis(url);
  try {
    const keys = await redis.keys("*");
    const values = await Promise.all(
      keys.map(async (key) => {
        const type = await redis.type(key);
        if (type !== "string") throw new Error(`${key} is a ${type}: say here how it is read`);
        return `${key} ${await redis.get(key)}`;
      }),
    );
    return { keys: keys.length, text: values.join("\n") };
  } finally {
    redis.disconnect();
  }
};
