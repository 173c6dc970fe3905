/**
 * A server that has run for days has in memory what is asked for every day: the indexes, the menus, and the newest part of what grows.
 * A bench that starts from nothing would measure the disk instead; `--cold` does.
 */
import type { GrownDataset } from "./grown-dataset.ts";

/**
 * Only the end of these growing tables is read: four months of orders, because pages of typical venues reach back so far, and one month of
 * the rest.
 */
const NEWEST_SHARE: Record<string, number> = {
  orders: 6,
  tickets: 24,
  audit_entries: 24,
  daily_sales: 24,
  reservations: 24,
  events: 100,
  delivery_attempts: 100,
};
const LEFT_OUT = ["refunds", "payments"];

export const warm = async ({ name, owner }: GrownDataset): Promise<string> => {
  const startedAt = performance.now();
  const { rows } = await owner.query<{ name: string; kind: string; blocks: string }>(
    `select c.oid::regclass::text as name, c.relkind as kind, pg_relation_size(c.oid) / 8192 as blocks
     from pg_class c left join pg_index i on i.indexrelid = c.oid join pg_class t on t.oid = coalesce(i.indrelid, c.oid)
     where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'i') and t.relname <> all ($1) and pg_relation_size(c.oid) > 0
     order by c.relkind, pg_relation_size(c.oid) desc`,
    [LEFT_OUT],
  );
  let read = 0;
  for (const { name: relation, kind, blocks } of rows) {
    const share = kind === "r" ? NEWEST_SHARE[relation] : undefined;
    const first = share === undefined ? 0 : Math.floor(Number(blocks) * (1 - 1 / share));
    const {
      rows: [warmed],
    } = await owner.query<{ count: string }>("select pg_prewarm($1::regclass, 'buffer', 'main', $2, $3) as count", [
      relation,
      first,
      Number(blocks) - 1,
    ]);
    read += Number(warmed?.count);
  }
  // A token's first request in a minute writes down that it was used. In a small database most requests are not the first, so none is.
  await owner.query("update tokens set last_used_at = now() + interval '1 day'");
  return `${name}: ${((read * 8192) / 2 ** 30).toFixed(1)} GiB read in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`;
};
