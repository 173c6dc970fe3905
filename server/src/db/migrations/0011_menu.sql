-- Menus, items, variants, modifiers, happy hours, planned prices and what staff sell out during service.
set local search_path = app;

call create_id_sequence('menu_ids');
create table menus (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('menu_ids'),
  key text not null,
  name jsonb not null,
  is_active boolean not null,
  hours jsonb,
  sort_order integer not null,
  deleted_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, key)
);
call enable_tenant_rls('menus');

call create_id_sequence('category_ids');
create table categories (
  restaurant_id bigint not null,
  id bigint not null default nextval('category_ids'),
  key text not null,
  menu_id bigint not null,
  name jsonb not null,
  is_active boolean not null,
  hours jsonb,
  station text,
  sort_order integer not null,
  deleted_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  foreign key (restaurant_id, menu_id) references menus
);
create index categories_menu on categories (restaurant_id, menu_id, sort_order, id);
call enable_tenant_rls('categories');

-- `sold_out_until` is when a sold-out item comes back. A job makes it available again then; no read compares it with the clock. Null: until
-- a person makes it available. `sold_out_by_stock`: an ingredient ran out, and the item comes back with the ingredient. A person who makes
-- the item available ends that. Both columns mean the same in `modifier_options`.
call create_id_sequence('item_ids');
create table items (
  restaurant_id bigint not null,
  id bigint not null default nextval('item_ids'),
  key text not null,
  category_id bigint not null,
  name jsonb not null,
  description jsonb,
  price_minor bigint check (price_minor between 0 and 2147483647),
  is_available boolean not null,
  show_online boolean not null,
  dietary text not null check (dietary in ('none', 'veg', 'non_veg', 'egg', 'vegan')),
  allergens text[],
  tax_key text,
  sort_order integer not null,
  updated_at timestamptz(3),
  deleted_at timestamptz(3),
  sold_out_until timestamptz(3),
  sold_out_by_stock boolean not null default false,
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  foreign key (restaurant_id, category_id) references categories
);
create index items_category on items (restaurant_id, category_id, id);
call enable_tenant_rls('items');

call create_id_sequence('variant_ids');
create table item_variants (
  restaurant_id bigint not null,
  id bigint not null default nextval('variant_ids'),
  key text not null,
  item_id bigint not null,
  name jsonb not null,
  price_minor bigint not null check (price_minor between 0 and 2147483647),
  is_default boolean not null,
  sort_order integer not null,
  deleted_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, item_id, key),
  foreign key (restaurant_id, item_id) references items
);
create unique index item_variants_one_default on item_variants (restaurant_id, item_id) where is_default and deleted_at is null;
call enable_tenant_rls('item_variants');

call create_id_sequence('modifier_group_ids');
create table modifier_groups (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('modifier_group_ids'),
  key text not null,
  name jsonb not null,
  min_select integer not null check (min_select >= 0),
  max_select integer check (max_select >= 1),
  sort_order integer not null,
  deleted_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, key)
);
call enable_tenant_rls('modifier_groups');

call create_id_sequence('modifier_option_ids');
create table modifier_options (
  restaurant_id bigint not null,
  id bigint not null default nextval('modifier_option_ids'),
  key text not null,
  group_id bigint not null,
  name jsonb not null,
  price_minor bigint not null check (price_minor between 0 and 2147483647),
  is_available boolean not null,
  sort_order integer not null,
  deleted_at timestamptz(3),
  sold_out_until timestamptz(3),
  sold_out_by_stock boolean not null default false,
  primary key (restaurant_id, id),
  unique (restaurant_id, group_id, key),
  foreign key (restaurant_id, group_id) references modifier_groups
);
call enable_tenant_rls('modifier_options');

create function end_sold_out_by_stock() returns trigger language plpgsql as $$
begin
  new.sold_out_by_stock := false;
  return new;
end $$;
create trigger items_available before update on items
  for each row when (new.is_available and new.sold_out_by_stock) execute function end_sold_out_by_stock();
create trigger modifier_options_available before update on modifier_options
  for each row when (new.is_available and new.sold_out_by_stock) execute function end_sold_out_by_stock();

create table item_modifier_groups (
  restaurant_id bigint not null,
  item_id bigint not null,
  group_id bigint not null,
  sort_order integer not null,
  primary key (restaurant_id, item_id, group_id),
  foreign key (restaurant_id, item_id) references items,
  foreign key (restaurant_id, group_id) references modifier_groups
);
create index item_modifier_groups_group on item_modifier_groups (restaurant_id, group_id);
call enable_tenant_rls('item_modifier_groups');

call create_id_sequence('happy_hour_ids');
create table happy_hours (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('happy_hour_ids'),
  key text not null,
  name jsonb not null,
  is_active boolean not null,
  hours jsonb,
  percent_off numeric(6, 3) check (percent_off between 0 and 100),
  price_minor bigint check (price_minor between 0 and 2147483647),
  sort_order integer not null,
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  check (num_nonnulls(percent_off, price_minor) = 1)
);
call enable_tenant_rls('happy_hours');

create table happy_hour_targets (
  restaurant_id bigint not null,
  happy_hour_id bigint not null,
  sort_order integer not null,
  category_id bigint,
  item_id bigint,
  variant_id bigint,
  primary key (restaurant_id, happy_hour_id, sort_order),
  foreign key (restaurant_id, happy_hour_id) references happy_hours on delete cascade,
  foreign key (restaurant_id, category_id) references categories,
  foreign key (restaurant_id, item_id) references items,
  foreign key (restaurant_id, variant_id) references item_variants,
  check (num_nonnulls(category_id, item_id, variant_id) = 1)
);
-- A happy hour names a category, item or variant once.
create unique index happy_hour_targets_once on happy_hour_targets (restaurant_id, happy_hour_id, category_id, item_id, variant_id)
  nulls not distinct;
call enable_tenant_rls('happy_hour_targets');

-- A price that begins at a later moment. A job applies and removes the row.
create table scheduled_prices (
  restaurant_id bigint not null,
  id uuid not null,
  item_id bigint not null,
  variant_id bigint,
  price_minor bigint not null check (price_minor between 0 and 2147483647),
  starts_at timestamptz(3) not null,
  planned_by text not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, item_id) references items,
  foreign key (restaurant_id, variant_id) references item_variants
);
create index scheduled_prices_start on scheduled_prices (restaurant_id, starts_at);
create index scheduled_prices_variant on scheduled_prices (restaurant_id, variant_id);
-- An item or variant has one planned price for a moment.
create unique index scheduled_prices_once on scheduled_prices (restaurant_id, item_id, variant_id, starts_at) nulls not distinct;
call enable_tenant_rls('scheduled_prices');

-- How many portions of an item are left. An order counts down in its own commit and writes neither the item nor its `updated_at`. The
-- constraint is named, because an order that breaks it lost a race and runs again.
create table item_counts (
  restaurant_id bigint not null,
  item_id bigint not null,
  remaining integer not null constraint item_counts_remaining check (remaining >= 0),
  -- Orders placed since then were counted, so only they give back.
  counted_from timestamptz(3) not null,
  primary key (restaurant_id, item_id),
  foreign key (restaurant_id, item_id) references items (restaurant_id, id)
) with (fillfactor = 50);
call enable_tenant_rls('item_counts');

call create_id_sequence('availability_change_ids');
create table availability_changes (
  restaurant_id bigint not null,
  id bigint not null default nextval('availability_change_ids'),
  item_id bigint not null,
  at timestamptz(3) not null,
  was_available boolean not null,
  is_available boolean not null,
  source text not null check (source in ('api', 'till', 'console')),
  token_id bigint,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, item_id) references items
);
create index availability_changes_item on availability_changes (restaurant_id, item_id);
create index availability_changes_age on availability_changes (at);
call enable_tenant_rls('availability_changes', 'select, insert');

create function purge_availability_changes(noted_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from availability_changes where at < noted_before order by at limit least(row_count, 10000) for update skip locked),
    gone as (delete from availability_changes where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function purge_availability_changes from public;
grant execute on function purge_availability_changes to comanda_app;
