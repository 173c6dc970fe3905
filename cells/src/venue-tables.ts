/** What belongs to a venue, as the database itself says it: every table with a restaurant_id, those that others refer to first. */

import { UserError } from "@comanda/server/lib/errors.ts";
import pg from "pg";

export type VenueTable = {
  name: string;
  /** The column with the venue's id. */
  venue: "id" | "restaurant_id";
  /** Columns that PostgreSQL computes itself are left out. */
  columns: string[];
  key: string[];
};

type CatalogTable = { name: string; columns: string[]; key: string[]; refers_to: string[] };

/** They say which venues move and how often, so they are not moved. */
const NOT_MOVED = ["venue_moves", "venue_epochs"];

export const readVenueTables = async (client: pg.ClientBase): Promise<VenueTable[]> => {
  const { rows } = await client.query<CatalogTable>(
    `select c.relname as name,
       array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
         and a.attgenerated = '' order by a.attnum) as columns,
       array(select a.attname::text from pg_index i cross join lateral unnest(i.indkey::smallint[]) with ordinality k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum where i.indrelid = c.oid and i.indisprimary and k.place <= i.indnkeyatts order by k.place) as key,
       array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
         where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as refers_to
     from pg_class c where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all($1)
       and (c.relname = 'restaurants' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'restaurant_id'))
     order by c.relname`,
    [NOT_MOVED],
  );
  return sortByReferences(rows).map(({ name, columns, key }) => ({
    name,
    columns,
    key,
    venue: name === "restaurants" ? "id" : "restaurant_id",
  }));
};

const sortByReferences = (rows: CatalogTable[]): CatalogTable[] => {
  const ours = new Set(rows.map(({ name }) => name));
  const placed = new Set<string>();
  const ordered: CatalogTable[] = [];
  while (ordered.length < rows.length) {
    const next = rows.find(({ name, refers_to }) => !placed.has(name) && refers_to.every((other) => placed.has(other) || !ours.has(other)));
    if (!next) throw new UserError("Tables refer to each other in a circle, so no order of copying them is right.");
    placed.add(next.name);
    ordered.push(next);
  }
  return ordered;
};

export const quoteIdentifier = (name: string): string => pg.escapeIdentifier(name);
export const columnList = (names: readonly string[], of = ""): string => names.map((name) => `${of}${quoteIdentifier(name)}`).join(", ");
export const tableName = ({ name }: VenueTable): string => `app.${quoteIdentifier(name)}`;

/** Ids come from the database and are integers: nothing else may stand in a text that cannot have parameters. */
export const idList = (ids: readonly number[]): string => {
  if (!ids.every(Number.isSafeInteger)) throw new TypeError("A venue's id is an integer");
  return ids.join(", ");
};
export const venueCondition = ({ venue }: VenueTable, ids: readonly number[], of = ""): string =>
  `${of}${quoteIdentifier(venue)} in (${idList(ids)})`;

export type RowsDigest = { count: string; sum: string };

/** Digests rows independently of their order: the number of rows, and the sum over digests of each. `only` restricts it to some rows. */
export const digestColumns = (columns: readonly string[], of: string, only = "true"): string => {
  const digest = `('x' || left(md5(row(${columnList(columns, of)})::text), 16))::bit(64)::bigint::numeric`;
  return `count(*) filter (where ${only})::text as count, coalesce(sum(case when ${only} then ${digest} end), 0)::text as sum`;
};
