/** What belongs to a venue, as the database itself says it: every table with a restaurant_id, those that others refer to first. */
import pg from "pg";
import { Misuse } from "#lib/errors.ts";

export type VenueTable = {
  name: string;
  /** Where the venue's id stands. */
  venue: "id" | "restaurant_id";
  /** Without those that PostgreSQL works out by itself. */
  columns: string[];
  key: string[];
};

type Row = { name: string; columns: string[]; key: string[]; refers_to: string[] };

/** They say which venues move and how often, so they are not moved. */
const STAYS = ["moves", "venue_epochs"];

export const readVenueTables = async (client: pg.ClientBase): Promise<VenueTable[]> => {
  const { rows } = await client.query<Row>(
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
    [STAYS],
  );
  return inOrder(rows).map(({ name, columns, key }) => ({ name, columns, key, venue: name === "restaurants" ? "id" : "restaurant_id" }));
};

const inOrder = (rows: Row[]): Row[] => {
  const ours = new Set(rows.map(({ name }) => name));
  const placed = new Set<string>();
  const ordered: Row[] = [];
  while (ordered.length < rows.length) {
    const next = rows.find(({ name, refers_to }) => !placed.has(name) && refers_to.every((other) => placed.has(other) || !ours.has(other)));
    if (!next) throw new Misuse("Tables refer to each other in a circle, so no order of copying them is right.");
    placed.add(next.name);
    ordered.push(next);
  }
  return ordered;
};

export const quoted = (name: string): string => pg.escapeIdentifier(name);
export const list = (names: readonly string[], of = ""): string => names.map((name) => `${of}${quoted(name)}`).join(", ");
export const placeOf = ({ name }: VenueTable): string => `app.${quoted(name)}`;

/** Ids come from the database and are integers: nothing else may stand in a text that cannot have parameters. */
export const idList = (ids: readonly number[]): string => {
  if (!ids.every(Number.isSafeInteger)) throw new TypeError("A venue's id is an integer");
  return ids.join(", ");
};
export const ofVenue = ({ venue }: VenueTable, ids: readonly number[], of = ""): string => `${of}${quoted(venue)} in (${idList(ids)})`;

export type Sum = { count: string; sum: string };

/** The same for the same rows in whatever order: the number of rows, and the sum over digests of each; of some only, if it says so. */
export const sumOf = (columns: readonly string[], of: string, only = "true"): string => {
  const digest = `('x' || left(md5(row(${list(columns, of)})::text), 16))::bit(64)::bigint::numeric`;
  return `count(*) filter (where ${only})::text as count, coalesce(sum(case when ${only} then ${digest} end), 0)::text as sum`;
};
