-- Orders, kitchen tickets, payments and daily sales.
set local search_path = app;

call create_id_sequence('order_line_ids');
create table orders (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  status text not null check (status in ('placed', 'accepted', 'rejected', 'ready', 'completed', 'cancelled')),
  type text not null check (type in ('dine_in', 'pickup', 'delivery')),
  channel text not null check (channel <> ''),
  branch_id bigint,
  table_id bigint,
  table_snapshot jsonb,
  guest_id bigint,
  customer_name text,
  customer_phone text,
  customer_email text,
  note text,
  delivery_address jsonb,
  currency text not null,
  subtotal_minor bigint not null check (subtotal_minor >= 0),
  discount_minor bigint not null check (discount_minor between 0 and subtotal_minor),
  service_charge_minor bigint not null check (service_charge_minor >= 0),
  tax_added_minor bigint not null check (tax_added_minor >= 0),
  delivery_fee_minor bigint not null check (delivery_fee_minor >= 0),
  total_minor bigint not null,
  tax_breakdown jsonb,
  cancel_reason text,
  -- The lines are a snapshot of what was sold, stored as one document.
  lines jsonb not null,
  placed_at timestamptz(3) not null,
  scheduled_for timestamptz(3),
  held_until timestamptz(3),
  paid_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- The database's clock at the last write. A list by `updated_since` shows the row only when no older
  -- transaction is running.
  changed_at timestamptz not null default clock_timestamp(),
  sold_on date,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, table_id) references dining_tables,
  foreign key (restaurant_id, guest_id) references guests,
  check (total_minor = subtotal_minor - discount_minor + service_charge_minor + tax_added_minor + delivery_fee_minor)
);
create index orders_updated on orders (restaurant_id, updated_at);
create index orders_guest on orders (restaurant_id, guest_id);
call enable_tenant_rls('orders', 'select, insert, update');
-- Newest first. The filter columns follow the sort key, so that rows that do not match are skipped inside the index: the few open
-- orders of a venue are found without reading its 15,000 others.
create index orders_listed on orders (restaurant_id, placed_at desc, id desc, status, type, channel, updated_at);
-- For clients that poll for open orders. It holds only open orders, so it stays small.
create index orders_open on orders (restaurant_id, placed_at desc, id desc) where status in ('placed', 'accepted', 'ready');
-- The default of 20 % would vacuum ten million rows too rarely.
alter table orders set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

call create_id_sequence('ticket_ids');
create table tickets (
  restaurant_id bigint not null,
  id bigint not null default nextval('ticket_ids'),
  order_id uuid not null,
  station text not null,
  state text not null check (state in ('held', 'queued', 'fired', 'voided', 'withdrawn')),
  lines jsonb not null,
  release_at timestamptz(3),
  void_reason text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders
);
create index tickets_order on tickets (restaurant_id, order_id);
create index tickets_open on tickets (restaurant_id, created_at) where state in ('held', 'queued', 'fired');
call enable_tenant_rls('tickets', 'select, insert, update');
alter table tickets set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);

call create_id_sequence('payment_ids');
create table payments (
  restaurant_id bigint not null,
  id bigint not null default nextval('payment_ids'),
  order_id uuid,
  method text not null check (method in ('cash', 'card_terminal', 'gift_card', 'online')),
  amount_minor bigint not null check (amount_minor > 0),
  refunded_total_minor bigint not null default 0 check (refunded_total_minor between 0 and amount_minor),
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders
);
create index payments_order on payments (restaurant_id, order_id);
call enable_tenant_rls('payments', 'select, insert, update');
alter table payments set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);

call create_id_sequence('refund_ids');
create table refunds (
  restaurant_id bigint not null,
  id bigint not null default nextval('refund_ids'),
  payment_id bigint not null,
  amount_minor bigint not null check (amount_minor > 0),
  reason text,
  recorded_by text not null,
  refunded_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, payment_id) references payments
);
create index refunds_payment on refunds (restaurant_id, payment_id);
call enable_tenant_rls('refunds', 'select, insert');

-- Erases the refund reasons of an erased guest's orders. It returns their payments, whose audit entries and events are erased next.
create function erase_refund_reasons(orders uuid[]) returns table (id bigint)
  language sql security definer set search_path = app, pg_temp as $$
  with paid as (select p.id from payments p where p.restaurant_id = current_tenant() and p.order_id = any (orders)),
  erased as (
    update refunds r set reason = null from paid
    where r.restaurant_id = current_tenant() and r.payment_id = paid.id and r.reason is not null
  )
  select paid.id from paid
$$;

revoke all on function erase_refund_reasons from public;
grant execute on function erase_refund_reasons to comanda_app;

-- Sales per branch and local day, updated in the orders' own transactions.
create table daily_sales (
  restaurant_id bigint not null references restaurants,
  date date not null,
  branch_id bigint not null,
  orders integer not null,
  revenue_minor bigint not null,
  -- The figures are part of the key's index: a venue's days lie scattered over the table, and a year was 300 pages instead of six.
  primary key (restaurant_id, date, branch_id) include (orders, revenue_minor)
) with (fillfactor = 70);
call enable_tenant_rls('daily_sales', 'select, insert, update');
alter table daily_sales set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.02);

-- Every change before this time is committed or rolled back: the start of the oldest running transaction, or now. Only sessions of the
-- application count, because only they write orders.
create function commit_horizon() returns timestamptz language sql volatile
  as $$ select least(clock_timestamp(), min(xact_start)) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and xact_start is not null
          and application_name <> 'comanda sandbox reset' $$;
