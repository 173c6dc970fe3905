-- Branches, hours, tables and rules of a restaurant.
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
  primary key (restaurant_id, id),
  unique (restaurant_id, key),
  foreign key (restaurant_id, branch_id) references branches
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
  updated_at timestamptz(3) not null
);
call enable_tenant_rls('settings');
