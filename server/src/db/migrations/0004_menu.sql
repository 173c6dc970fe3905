-- The menu: menus, categories, dishes, sizes, modifiers, happy hours.
set local search_path = app;

call create_ids('menu_ids');
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
call protect('menus');

call create_ids('category_ids');
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
call protect('categories');

call create_ids('item_ids');
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
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  foreign key (restaurant_id, category_id) references categories
);
create index items_category on items (restaurant_id, category_id, id);
call protect('items');

call create_ids('variant_ids');
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
call protect('item_variants');

call create_ids('modifier_group_ids');
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
call protect('modifier_groups');

call create_ids('modifier_option_ids');
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
  primary key (restaurant_id, id),
  unique (restaurant_id, group_id, key),
  foreign key (restaurant_id, group_id) references modifier_groups
);
call protect('modifier_options');

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
call protect('item_modifier_groups');

call create_ids('happy_hour_ids');
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
call protect('happy_hours');

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
call protect('happy_hour_targets');
