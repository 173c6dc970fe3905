/** Indexes and references are taken away while rows come in bulk and made again afterwards, which also proves every row. */
import type pg from "pg";

/** What must stay for a later step is written down before anything is dropped, so that a stopped run can go on. */
export const dropDefinitions = async (owner: pg.Client): Promise<void> => {
  await owner.query("begin");
  await owner.query(`
    insert into grown.definitions (place, table_name, name, statement, drop_statement)
    select case c.contype when 'f' then 3 else 1 end, c.conrelid::regclass, c.conname,
      format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)),
      format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname)
    from pg_constraint c where c.connamespace = 'app'::regnamespace and c.contype in ('p', 'u', 'x', 'f')
      and ((${TENANTS_TABLE("c.conrelid")}) or (c.contype = 'f' and ${TENANTS_TABLE("c.confrelid")}))
    union all
    select 2, i.indrelid::regclass, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), format('drop index %s', i.indexrelid::regclass)
    from pg_index i where (${TENANTS_TABLE("i.indrelid")}) and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`);
  const { rows } = await owner.query<{ drop_statement: string }>(
    "select drop_statement from grown.definitions order by place desc, table_name, name",
  );
  for (const { drop_statement } of rows) await owner.query(drop_statement);
  await owner.query("commit");
};

const TENANTS_TABLE = (table: string): string => `
  exists (select from pg_attribute a join pg_class t on t.oid = a.attrelid where a.attrelid = ${table} and a.attname = 'restaurant_id'
    and t.relnamespace = 'app'::regnamespace and t.relkind = 'r' and t.relname not in ('one_time_links', 'sandboxes', 'sandbox_resets', 'sandbox_samples'))`;

type Definition = { name: string; table_name: string; place: number; statement: string };

/** Keys first, then indexes, then references; a table's own one after the other, tables side by side. */
export const restoreDefinitions = async (clients: pg.Client[], onDone: (name: string, left: number) => void): Promise<void> => {
  const [first] = clients;
  if (!first) throw new Error("No client to restore with");
  const { rows } = await first.query<Definition>("select name, table_name, place, statement from grown.definitions where not is_restored");
  let left = rows.length;
  for (const place of [1, 2, 3]) {
    const waiting = rows.filter((row) => row.place === place);
    const size = await sizesOf(first);
    waiting.sort((a, b) => (size.get(b.table_name) ?? 0) - (size.get(a.table_name) ?? 0));
    const busy = new Set<string>();
    const hand = async (client: pg.Client): Promise<void> => {
      while (waiting.length > 0) {
        const index = waiting.findIndex(({ table_name }) => !busy.has(table_name));
        const [next] = waiting.splice(Math.max(index, 0), 1);
        if (!next) return;
        busy.add(next.table_name);
        await client.query(`begin; ${next.statement};
          update grown.definitions set is_restored = true where name = '${next.name}' and table_name = '${next.table_name}'; commit`);
        busy.delete(next.table_name);
        onDone(next.name, --left);
      }
    };
    await Promise.all(clients.map(hand));
  }
};

const sizesOf = async (client: pg.Client): Promise<Map<string, number>> => {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    "select oid::regclass::text as name, pg_relation_size(oid) as bytes from pg_class where relnamespace = 'app'::regnamespace and relkind = 'r'",
  );
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
};
