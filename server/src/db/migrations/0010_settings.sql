-- Branches, hours, tables and rules of a venue.
set local search_path = app;

call create_id_sequence('branch_ids');
create table branches (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('branch_ids'),
  key text not null,
  name jsonb not null,
  is_default boolean not null,
  address text,
  hours jsonb,
  sort_order integer not null,
  deleted_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, key)
);
create unique index branches_one_default on branches (restaurant_id) where is_default and deleted_at is null;
call enable_tenant_rls('branches');

create table closing_days (
  restaurant_id bigint not null,
  branch_id bigint not null,
  date date not null,
  reason text,
  primary key (restaurant_id, branch_id, date),
  foreign key (restaurant_id, branch_id) references branches on delete cascade
);
call enable_tenant_rls('closing_days');

call create_id_sequence('table_ids');
create table dining_tables (
  restaurant_id bigint not null,
  id bigint not null default nextval('table_ids'),
  key text not null,
  branch_id bigint not null,
  name text not null,
  code text,
  seats integer not null check (seats > 0),
  is_active boolean not null,
  sort_order integer not null,
  deleted_at timestamptz(3),
  -- The place of the table on the floor plan, in per cent of the plan from its upper left corner, and what it looks like there. Null:
  -- nothing was chosen; the plan then finds a place, and draws a square.
  place_x integer check (place_x between 0 and 100),
  place_y integer check (place_y between 0 and 100),
  shape text check (shape in ('square', 'round', 'long')),
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  foreign key (restaurant_id, branch_id) references branches,
  constraint dining_tables_place check ((place_x is null) = (place_y is null))
);
create unique index dining_tables_code on dining_tables (restaurant_id, code) where deleted_at is null;
create index dining_tables_branch on dining_tables (restaurant_id, branch_id);
call enable_tenant_rls('dining_tables');

call create_id_sequence('table_combination_ids');
create table table_combinations (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('table_combination_ids'),
  seats integer not null check (seats > 0),
  sort_order integer not null,
  primary key (restaurant_id, id)
);
call enable_tenant_rls('table_combinations');

create table table_combination_members (
  restaurant_id bigint not null,
  combination_id bigint not null,
  table_id bigint not null,
  sort_order integer not null,
  primary key (restaurant_id, combination_id, table_id),
  foreign key (restaurant_id, combination_id) references table_combinations on delete cascade,
  foreign key (restaurant_id, table_id) references dining_tables
);
call enable_tenant_rls('table_combination_members');

-- Rules are read and written as whole documents. The contract package describes their shapes.
create table settings (
  restaurant_id bigint primary key references restaurants,
  ordering jsonb not null,
  booking jsonb not null,
  charges jsonb not null,
  updated_at timestamptz(3) not null,
  -- Reviews are off until the owner switches them on.
  reviews jsonb not null default '{"is_on": false, "wait_minutes": 60}',
  shifts jsonb not null default '{"week_start": "monday"}',
  -- The weekday on which weeks of shifts begin.
  first_weekday text not null default 'monday' check (first_weekday in ('saturday', 'sunday', 'monday'))
);
comment on column settings.shifts is 'replaced by first_weekday; a later migration drops it';
call enable_tenant_rls('settings');
