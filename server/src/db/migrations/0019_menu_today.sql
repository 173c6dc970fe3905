-- What staff sell out during service: until an instant, or after a number of portions.
set local search_path = app;

-- When a sold-out dish or option comes back. A job makes it available again then; no read compares it with the clock. Null: until a
-- person says so.
alter table items add column sold_out_until timestamptz(3);
alter table modifier_options add column sold_out_until timestamptz(3);

-- How many portions of a dish are left. An order counts down in its own commit and writes neither the dish nor its `updated_at`. The
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
