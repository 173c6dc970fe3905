-- What an owner configures besides the menu: branches, tables, rules, staff, guests.
set local search_path = app;

call create_ids('branch_ids');
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
call protect('branches');

create table closing_days (
  restaurant_id bigint not null,
  branch_id bigint not null,
  date date not null,
  reason text,
  primary key (restaurant_id, branch_id, date),
  foreign key (restaurant_id, branch_id) references branches on delete cascade
);
call protect('closing_days');

call create_ids('table_ids');
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
call protect('dining_tables');

call create_ids('table_combination_ids');
create table table_combinations (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('table_combination_ids'),
  seats integer not null check (seats > 0),
  sort_order integer not null,
  primary key (restaurant_id, id)
);
call protect('table_combinations');

create table table_combination_members (
  restaurant_id bigint not null,
  combination_id bigint not null,
  table_id bigint not null,
  sort_order integer not null,
  primary key (restaurant_id, combination_id, table_id),
  foreign key (restaurant_id, combination_id) references table_combinations on delete cascade,
  foreign key (restaurant_id, table_id) references dining_tables
);
call protect('table_combination_members');

-- Rules are read whole and changed whole: one document each, shaped by the contract package.
create table settings (
  restaurant_id bigint primary key references restaurants,
  ordering jsonb not null,
  booking jsonb not null,
  charges jsonb not null,
  updated_at timestamptz(3) not null
);
call protect('settings');

call create_ids('staff_ids');
create table staff (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('staff_ids'),
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('owner', 'manager', 'staff')),
  locale text,
  created_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  unique (restaurant_id, email)
);
call protect('staff');

call create_ids('guest_ids');
create table guests (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('guest_ids'),
  key text not null,
  name text not null,
  phone text,
  email text,
  locale text,
  marketing_opted_in boolean not null,
  marketing_opted_in_at timestamptz(3),
  staff_note text,
  visits_count integer not null default 0,
  total_spend_minor bigint not null default 0,
  last_visit_at timestamptz(3),
  erased_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  unique (restaurant_id, key)
);
call protect('guests');
