-- Orders, what the kitchen sees of them, and what was paid for them.
set local search_path = app;

-- How a phone number is recognised: by its digits, in whichever script, and a leading plus; 00 is another way to write the
-- plus. A number with letters in it, or without a digit, is only the same when it is written the same.
create function phone_key(phone text) returns text language sql immutable parallel safe
  as $$ select case when plain ~ '[0-9]' and phone !~ '[[:alpha:]]' then regexp_replace(plain, '^00', '+')
                    else nullif(lower(btrim(phone)), '') end
        from (select regexp_replace(translate(phone, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9+]', '', 'g')) as p (plain) $$;

alter table guests
  add column phone_key text generated always as (app.phone_key(phone)) stored,
  add column email_key text generated always as (lower(email)) stored;
-- Two first orders at once must not make two guests: the second finds this index in its way and runs again.
create unique index guests_phone on guests (restaurant_id, phone_key) where erased_at is null;
create index guests_email on guests (restaurant_id, email_key) where erased_at is null;

call create_ids('order_line_ids');
create table orders (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  status text not null check (status in ('placed', 'accepted', 'rejected', 'ready', 'completed', 'cancelled')),
  type text not null check (type in ('dine_in', 'pickup', 'delivery')),
  channel text not null check (channel <> ''),
  branch_id bigint,
  table_id bigint,
  table_shown jsonb,
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
  -- Lines are a snapshot of what was sold: one document, written once, read whole.
  lines jsonb not null,
  placed_at timestamptz(3) not null,
  scheduled_for timestamptz(3),
  held_until timestamptz(3),
  paid_at timestamptz(3),
  updated_at timestamptz(3) not null,
  -- The database's own clock at the last write: what has just been written is shown to `updated_since` only when
  -- no older transaction is still running.
  changed_at timestamptz not null default clock_timestamp(),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, table_id) references dining_tables,
  foreign key (restaurant_id, guest_id) references guests,
  check (total_minor = subtotal_minor - discount_minor + service_charge_minor + tax_added_minor + delivery_fee_minor)
);
create index orders_newest on orders (restaurant_id, placed_at desc, id desc);
create index orders_updated on orders (restaurant_id, updated_at);
create index orders_guest on orders (restaurant_id, guest_id);
call protect('orders', 'select, insert, update');

call create_ids('ticket_ids');
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
call protect('tickets', 'select, insert, update');

call create_ids('payment_ids');
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
call protect('payments', 'select, insert, update');

call create_ids('refund_ids');
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
call protect('refunds', 'select, insert');

-- Everything written before this moment is committed or gone: the start of the oldest transaction that still runs, or
-- now. Own sessions only: those are the ones that write orders.
create function settled_until() returns timestamptz language sql volatile
  as $$ select least(clock_timestamp(), min(xact_start)) from pg_stat_activity
        where datname = current_database() and usename = current_user and pid <> pg_backend_pid() and xact_start is not null $$;
