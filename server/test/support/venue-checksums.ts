/** Digests of everything a restaurant has, whatever table it is in: two that are equal say that no byte has changed. */

import type { TestDatabase } from "./database.ts";
import { tenantTables } from "./schema-rules.ts";

/** One line per table, and one for the jobs that name the restaurant. `besides` are columns to leave out. */
export const checksumsOf = async (database: TestDatabase, restaurantIds: readonly number[], besides: string[] = []): Promise<string[]> => {
  const digest = (table: string, condition: string) =>
    `select '${table} ' || count(*) || ' ' || md5(coalesce(string_agg(line, '\n' order by line), '')) as digest
     from (select (to_jsonb(r) - $2::text[])::text as line from ${table} r where ${condition}) lines`;
  const owned = (await tenantTables(database)).map((table) =>
    digest(table, `${table === "restaurants" ? "id" : "restaurant_id"} = any($1::bigint[])`),
  );
  const jobs = digest("jobs.job", "(r.data ->> 'restaurant_id')::bigint = any($1::bigint[])");
  const rows = await database.asOwner<{ digest: string }>([...owned, jobs].join(" union all "), [restaurantIds, besides]);
  return rows.map(({ digest: line }) => line);
};
