/** The template's venue as often as asked for: the same rows, each id moved by as many places as the venue has rows. */
import type pg from "pg";
import { GUESTS_OF_TYPICAL, type Scale, STEP, sizesOf, VENUES_PER_HEAVY } from "./scale.ts";

/** Which columns hold an id, and of which table. */
const COPIED: Record<string, Record<string, string>> = {
  branches: { id: "branches" },
  closing_days: { branch_id: "branches" },
  dining_tables: { id: "dining_tables", branch_id: "branches" },
  table_combinations: { id: "table_combinations" },
  table_combination_members: { combination_id: "table_combinations", table_id: "dining_tables" },
  settings: {},
  staff: { id: "staff" },
  menus: { id: "menus" },
  categories: { id: "categories", menu_id: "menus" },
  items: { id: "items", category_id: "categories" },
  item_variants: { id: "item_variants", item_id: "items" },
  modifier_groups: { id: "modifier_groups" },
  modifier_options: { id: "modifier_options", group_id: "modifier_groups" },
  item_modifier_groups: { item_id: "items", group_id: "modifier_groups" },
  happy_hours: { id: "happy_hours" },
  happy_hour_targets: { happy_hour_id: "happy_hours", category_id: "categories", item_id: "items", variant_id: "item_variants" },
  tokens: { id: "tokens" },
  webhook_endpoints: { id: "webhook_endpoints" },
  webhook_secrets: { id: "webhook_secrets", endpoint_id: "webhook_endpoints" },
  webhook_endpoint_state: { endpoint_id: "webhook_endpoints" },
};

/** First ids and numbers of rows of the template, read once and kept: `grown.blocks`. */
export const measureTemplate = async (owner: pg.Client): Promise<void> => {
  for (const [table, ids] of Object.entries(COPIED))
    if (ids.id)
      await owner.query(`insert into grown.blocks select '${table}', min(id), (max(id) - min(id)) / ${STEP} + 1 from ${table}
        having count(*) > 0`);
  await owner.query("insert into grown.blocks select 'restaurants', min(id), 1 from restaurants");
};

export const copyVenues = async (owner: pg.Client, { venues }: Scale): Promise<void> => {
  const blocks = await readBlocks(owner);
  await owner.query("begin");
  await owner.query(`
    insert into restaurants (id, slug, name, currency, zone, default_language, email, phone, plan, created_at, updated_at)
    select r.id + v * ${STEP}, 'grown-' || v, r.name, r.currency, r.zone, r.default_language, 'owner-' || v || '@grown.example', r.phone, r.plan,
      r.created_at, r.updated_at from restaurants r, generate_series(1, ${venues - 1}) v order by v`);
  for (const [table, ids] of Object.entries(COPIED)) {
    const { rows } = await owner.query<{ name: string }>(
      "select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum",
      [table],
    );
    const columns = rows.map(({ name }) => name);
    const values = columns.map((name) => {
      if (name === "restaurant_id") return `t.restaurant_id + v * ${STEP}`;
      if (table === "staff" && name === "email") return "'v' || v || '-' || t.email";
      const of = ids[name];
      return of === undefined ? `t.${name}` : `t.${name} + v * ${(blocks.get(of)?.rows ?? 0) * STEP}`;
    });
    await owner.query(
      `insert into ${table} (${columns.join(", ")}) select ${values.join(", ")} from ${table} t, generate_series(1, ${venues - 1}) v order by v`,
    );
  }
  // Every second venue had a till once.
  await owner.query(`
    insert into webhook_endpoints (restaurant_id, id, kind, url, events, removed_at, created_by, created_at, updated_at)
    select id, (select max(id) from webhook_endpoints) + row_number() over (order by id) * ${STEP}, 'pos', 'https://till.example/orders', '{order.created}', updated_at, 'Operator', created_at, updated_at
    from restaurants where id / ${STEP} % 2 = 0 order by id`);
  await owner.query("insert into grown.steps (name) values ('venues')");
  await owner.query("commit");
};

export type Blocks = Map<string, { first: number; rows: number }>;

export const readBlocks = async (owner: pg.Client): Promise<Blocks> => {
  const { rows } = await owner.query<{ table_name: string; first_id: string; row_count: string }>("select * from grown.blocks");
  return new Map(rows.map((row) => [row.table_name, { first: Number(row.first_id), rows: Number(row.row_count) }]));
};

/** The id of the j-th guest of venue v: the first ones of all venues, then the rest of the heavy ones', as they would have come. */
export const guestId = (v: string, j: string, scale: Scale): string => {
  const { heavy } = sizesOf(scale);
  return `(${STEP} + ((case when ${j} < ${GUESTS_OF_TYPICAL} then ${j} * ${scale.venues} + ${v}
    else ${GUESTS_OF_TYPICAL * scale.venues} + (${j} - ${GUESTS_OF_TYPICAL}) * ${heavy} + ${v} / ${VENUES_PER_HEAVY} end)::bigint * ${STEP}))`;
};
