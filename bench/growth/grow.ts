/** Fills a migrated database step by step; each step is remembered where it was done, so a stopped run goes on from there. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { dropDefinitions, restoreDefinitions } from "./definitions.ts";
import { fillOrders, SHOWN } from "./orders.ts";
import { showProgress } from "./progress.ts";
import { type Scale, STEP } from "./scale.ts";
import { fillBookings, fillGuests, SALES } from "./sums.ts";
import { makeTemplate } from "./template.ts";
import { copyVenues, measureTemplate, readBlocks } from "./venues.ts";

const CHUNK = 20_000;
const WORKERS = 2;

const LEDGER = `
  create schema if not exists grown;
  create table if not exists grown.scale (venues bigint, orders bigint, seed bigint, until text);
  create table if not exists grown.steps (name text primary key, at timestamptz default now());
  create table if not exists grown.chunks (first_order bigint primary key);
  create table if not exists grown.blocks (table_name text primary key, first_id bigint, row_count bigint);
  create table if not exists grown.definitions (place integer, table_name text, name text, statement text, drop_statement text, is_restored boolean default false);
  create table if not exists grown.carts (k bigint primary key, type text, channel text, subtotal_minor bigint, discount_minor bigint, service_charge_minor bigint,
    tax_added_minor bigint, delivery_fee_minor bigint, total_minor bigint, tax_breakdown jsonb, delivery_address jsonb, lines text, item_ids bigint[],
    stations text[], tickets jsonb[])`;

/** Work that fits into this is not written to disk in between. */
const SETTINGS =
  "-c search_path=app -c timezone=UTC -c synchronous_commit=off -c work_mem=256MB -c maintenance_work_mem=1GB -c max_parallel_workers_per_gather=0 -c enable_nestloop=off";

export type GrowTarget = { appUrl: string; ownerUrl: string };

export const grow = async ({ appUrl, ownerUrl }: GrowTarget, scale: Scale): Promise<void> => {
  const clients = await Promise.all(Array.from({ length: WORKERS }, () => connect(ownerUrl)));
  const owner = clients[0] as pg.Client;
  try {
    await owner.query(LEDGER);
    await owner.query(SHOWN);
    await settleScale(owner, scale);
    const known = new Set((await owner.query<{ name: string }>("select name from grown.steps")).rows.map(({ name }) => name));
    const step = async (name: string, work: () => Promise<unknown>, marksItself = false): Promise<void> => {
      if (known.has(name)) return;
      const progress = showProgress(name, 1);
      await work();
      if (!marksItself) await owner.query("insert into grown.steps (name) values ($1)", [name]);
      progress.end();
    };
    await step("template", async () => {
      await emptyTemplate(owner);
      await makeTemplate(appUrl, owner, scale.seed);
      await measureTemplate(owner);
    });
    await step("definitions", () => dropDefinitions(owner));
    await step("venues", () => copyVenues(owner, scale), true);
    const blocks = await readBlocks(owner);
    await runChunks(clients, scale, (from, to) => fillOrders(scale, blocks, from, to));
    // Two read all orders once each, so they are read side by side.
    const filled = (client: pg.Client, name: string, text: string) =>
      step(name, () => client.query(`begin; ${text}; insert into grown.steps (name) values ('${name}'); commit`), true);
    const other = clients[1] ?? owner;
    await Promise.all([
      filled(owner, "guests", fillGuests(scale)),
      filled(other, "sales", SALES).then(() => filled(other, "bookings", fillBookings(scale, blocks))),
    ]);
    await step("restore", () => restore(clients));
    await step("sequences", () => owner.query(SEQUENCES));
    await step("analyze", () => owner.query("vacuum (analyze)"));
    await waitForIndexes(owner);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
};

/** An index over rows that had changed before it was made is not used while a transaction that is older than the index runs in the cluster. */
const UNUSED_INDEX = `
  select 1 from pg_index where indcheckxmin
    and xmin::text::bigint >= (pg_snapshot_xmin(pg_current_snapshot())::text::bigint & 4294967295) limit 1`;
const INDEX_WAIT_MS = 60_000;

const waitForIndexes = async (owner: pg.Client): Promise<void> => {
  const until = Date.now() + INDEX_WAIT_MS;
  while ((await owner.query(UNUSED_INDEX)).rows.length > 0) {
    if (Date.now() > until)
      throw new Error("An index is not in use yet, because a transaction in this cluster is older than it. End that transaction.");
    await sleep(100);
  }
};

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url, options: SETTINGS });
  // A lost connection also fails the statement that runs on it, so the event needs no handling.
  client.on("error", () => undefined);
  await client.connect();
  return client;
};

/** A template that was begun and not ended. */
const emptyTemplate = async (owner: pg.Client): Promise<void> => {
  await owner.query("truncate grown.carts, grown.blocks; truncate restaurants cascade");
  await owner.query(
    `select setval(c.oid, s.seqstart, false) from pg_class c join pg_sequence s on s.seqrelid = c.oid where c.relnamespace = 'app'::regnamespace`,
  );
};

/** Another scale in the same database would mix two worlds. */
const settleScale = async (owner: pg.Client, scale: Scale): Promise<void> => {
  const { rows } = await owner.query<{ is_same: boolean }>(
    "select (venues, orders, seed, until) = ($1, $2, $3, $4) as is_same from grown.scale",
    [scale.venues, scale.orders, scale.seed, scale.until],
  );
  const [known] = rows;
  if (known && !known.is_same) throw new Error("This database was begun with other numbers, another seed or another day");
  if (known) return;
  const { rowCount } = await owner.query("select from restaurants limit 1");
  if (rowCount !== 0) throw new Error("This database has venues already; grow an empty one");
  await owner.query("insert into grown.scale values ($1, $2, $3, $4)", [scale.venues, scale.orders, scale.seed, scale.until]);
};

const runChunks = async (
  clients: pg.Client[],
  { orders, chunk = CHUNK }: Scale,
  fill: (from: number, to: number) => string,
): Promise<void> => {
  const { rows } = (await clients[0]?.query<{ first_order: string }>("select first_order from grown.chunks")) ?? { rows: [] };
  const done = new Set(rows.map(({ first_order }) => Number(first_order)));
  const sizeOf = (from: number): number => Math.min(chunk, orders - from);
  let count = [...done].reduce((sum, from) => sum + sizeOf(from), 0);
  const progress = showProgress("orders", orders, count);
  let next = 0;
  const hand = async (client: pg.Client): Promise<void> => {
    while (next < orders) {
      const from = next;
      next += chunk;
      if (done.has(from)) continue;
      await client.query(fill(from, from + sizeOf(from)));
      count += sizeOf(from);
      progress.at(count);
    }
  };
  await Promise.all(clients.map(hand));
  progress.end();
};

const restore = async (clients: pg.Client[]): Promise<void> => {
  const { rows } = (await clients[0]?.query("select from grown.definitions")) ?? { rows: [] };
  const progress = showProgress("indexes", rows.length);
  await restoreDefinitions(clients, (_, left) => progress.at(rows.length - left));
};

/** The next id of every table lies behind the last one that was given out here; lines of orders have no table. */
const SEQUENCES = `do $$
  declare d record; top bigint;
  begin
    for d in select a.attrelid::regclass as table_name, a.attname as column_name, pg_get_expr(f.adbin, f.adrelid) as expression
      from pg_attrdef f join pg_attribute a on (a.attrelid, a.attnum) = (f.adrelid, f.adnum) join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'app'::regnamespace and pg_get_expr(f.adbin, f.adrelid) like 'nextval(%' loop
      execute format('select max(%I) from %s', d.column_name, d.table_name) into top;
      if top is not null then perform setval(substring(d.expression from '''(.*)'''), top); end if;
    end loop;
    perform setval('app.order_line_ids', ${STEP} * (5 * (select orders from grown.scale) + 1));
  end $$`;
