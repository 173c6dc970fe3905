set local search_path = app;

-- Prices that begin at a moment to come. A job applies and removes them.
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
create index scheduled_prices_item on scheduled_prices (restaurant_id, item_id);
create index scheduled_prices_variant on scheduled_prices (restaurant_id, variant_id);
call enable_tenant_rls('scheduled_prices');
