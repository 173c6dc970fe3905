/**
 * A restored cell counts its ids from where its copy ended. Ids that it gave out afterwards may be in other cells, in venues that
 * have moved there: it must not give them out again.
 */
import type pg from "pg";
import { CELL_COUNT } from "./proxy-config.ts";
import { columnList, quoteIdentifier } from "./venue-tables.ts";

type IdColumn = { table: string; sequence: string; has_venue: boolean };

/** Every table whose id comes from a sequence. */
const readIdColumns = async (client: pg.ClientBase): Promise<IdColumn[]> => {
  const { rows } = await client.query<IdColumn>(
    `select c.relname as table, s.relname as sequence,
       exists (select from pg_attribute v where v.attrelid = c.oid and v.attname = 'restaurant_id') as has_venue
     from pg_depend u join pg_class s on s.oid = u.refobjid and s.relkind = 'S' join pg_attrdef d on d.oid = u.objid
       join pg_class c on c.oid = d.adrelid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.adnum
     where u.classid = 'pg_attrdef'::regclass and c.relnamespace = 'app'::regnamespace and a.attname = 'id'`,
  );
  return rows;
};

/** The lines of an order are one document, so their ids have no column. */
const ORDER_LINES =
  "select 'order_line_ids' as sequence, max((l ->> 'id')::bigint) as id from app.orders o cross join jsonb_array_elements(o.lines) l";

/** The highest id of this cell that the other cell has, for each sequence. Only venues that have moved can have brought one. */
const readHighest = async (other: pg.ClientBase, columns: readonly IdColumn[], cell: number): Promise<Map<string, number>> => {
  const moved = `restaurant_id in (select restaurant_id from app.venue_epochs union select id from app.restaurants where id % ${CELL_COUNT} = $1)`;
  const texts = columns.map(
    ({ table, sequence, has_venue }) =>
      `select '${sequence}' as sequence, max(id) as id from app.${quoteIdentifier(table)} where id % ${CELL_COUNT} = $1 ${has_venue ? `and ${moved}` : ""}`,
  );
  texts.push(`${ORDER_LINES} where (l ->> 'id')::bigint % ${CELL_COUNT} = $1 and o.${moved}`);
  const { rows } = await other.query<{ sequence: string; id: string | null }>(texts.map((text) => `(${text})`).join(" union all "), [cell]);
  return new Map(rows.flatMap(({ sequence, id }): [string, number][] => (id === null ? [] : [[sequence, Number(id)]])));
};

/** Sequences are never set back. In the caller's transaction, although a rollback does not reset a sequence. */
export const skipUsedIds = async (here: pg.ClientBase, others: readonly pg.ClientBase[], cell: number): Promise<string[]> => {
  const columns = await readIdColumns(here);
  const skipped = new Set<string>();
  for (const other of others)
    for (const [sequence, id] of await readHighest(other, columns, cell)) {
      const { rowCount } = await here.query(
        `select setval('app.${sequence}', $1::bigint) from app.${columnList([sequence])} where last_value < $1::bigint`,
        [id],
      );
      if (rowCount === 1) skipped.add(sequence);
    }
  return [...skipped].sort();
};
