-- Bills, payments and refunds, and the day of service that each counts on.
set local search_path = app;

-- A bill is what a table owes: its orders are paid together.
create table bills (
  restaurant_id bigint not null references restaurants,
  id uuid not null,
  branch_id bigint,
  -- The tables it was opened for or moved to last. They stay when it is closed.
  tables jsonb not null,
  service_day date not null,
  opened_at timestamptz(3) not null,
  asked_at timestamptz(3),
  closed_at timestamptz(3),
  closing text check (closing in ('settled', 'left_unpaid', 'merged', 'day_ended')),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id) references branches,
  check ((closed_at is null) = (closing is null))
);
call enable_tenant_rls('bills', 'select, insert, update');

-- Only open bills have rows here, so the key keeps a table from having two. The row is what an order for the table locks first.
create table bill_tables (
  restaurant_id bigint not null,
  table_id bigint not null,
  bill_id uuid not null,
  service_day date not null,
  primary key (restaurant_id, table_id),
  foreign key (restaurant_id, table_id) references dining_tables,
  -- The row is written before its bill, because it decides whether there is a new one.
  foreign key (restaurant_id, bill_id) references bills deferrable initially deferred
);
create index bill_tables_bill on bill_tables (restaurant_id, bill_id);
call enable_tenant_rls('bill_tables');

alter table orders add constraint orders_bill_fkey foreign key (restaurant_id, bill_id) references bills;
create index orders_bill on orders (restaurant_id, bill_id) where bill_id is not null;

call create_id_sequence('bill_payment_ids');
-- A payment of a bill. Its parts are payments of orders; the tip belongs to none.
create table bill_payments (
  restaurant_id bigint not null,
  id bigint not null default nextval('bill_payment_ids'),
  bill_id uuid not null,
  method text not null check (method in ('cash', 'card_terminal', 'other')),
  amount_minor bigint not null check (amount_minor > 0),
  tip_minor bigint not null default 0 check (tip_minor >= 0),
  tendered_minor bigint check (tendered_minor >= amount_minor + tip_minor),
  lines jsonb not null default '[]',
  service_day date not null,
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, bill_id) references bills
);
create index bill_payments_bill on bill_payments (restaurant_id, bill_id);
create index bill_payments_tips on bill_payments (restaurant_id, recorded_at) where tip_minor > 0;
call enable_tenant_rls('bill_payments', 'select, insert, update');

-- A payment is for an order or for the deposit of a reservation. `branch_id` and `service_day` are the branch and the day of service under
-- which it counts in takings and reports, as they were when it was recorded: the venue may change its zone later, and a booking its branch.
call create_id_sequence('payment_ids');
create table payments (
  restaurant_id bigint not null,
  id bigint not null default nextval('payment_ids'),
  order_id uuid,
  method text not null check (method in ('cash', 'card_terminal', 'gift_card', 'online', 'other')),
  amount_minor bigint not null check (amount_minor > 0),
  refunded_total_minor bigint not null default 0 check (refunded_total_minor between 0 and amount_minor),
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  reservation_id uuid,
  branch_id bigint,
  service_day date,
  -- The payment of a bill of which it is a part.
  bill_payment_id bigint,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders,
  foreign key (restaurant_id, bill_payment_id) references bill_payments,
  constraint payments_reservation_fkey foreign key (restaurant_id, reservation_id) references reservations,
  constraint payments_subject check (num_nonnulls(order_id, reservation_id) <= 1)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05);
create index payments_order on payments (restaurant_id, order_id);
create index payments_reservation on payments (restaurant_id, reservation_id) where reservation_id is not null;
create index payments_bill_payment on payments (restaurant_id, bill_payment_id) where bill_payment_id is not null;
create index payments_recorded on payments (restaurant_id, recorded_at);
call enable_tenant_rls('payments', 'select, insert, update');

-- A refund counts on its own day of service, in the branch of its payment.
call create_id_sequence('refund_ids');
create table refunds (
  restaurant_id bigint not null,
  id bigint not null default nextval('refund_ids'),
  payment_id bigint not null,
  amount_minor bigint not null check (amount_minor > 0),
  reason text,
  recorded_by text not null,
  refunded_at timestamptz(3) not null,
  service_day date,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, payment_id) references payments
);
create index refunds_payment on refunds (restaurant_id, payment_id);
create index refunds_made on refunds (restaurant_id, refunded_at);
call enable_tenant_rls('refunds', 'select, insert');

-- Stores day and branch of rows that come without a day, such as those of a sandbox's sample.
create function store_service_day() returns trigger
  language plpgsql set search_path = app, pg_temp as $$
declare
  zone constant text := (select r.zone from restaurants r where r.id = new.restaurant_id);
begin
  if tg_table_name = 'refunds' then
    new.service_day := (new.refunded_at at time zone zone - interval '5 hours')::date;
    return new;
  end if;
  new.service_day := (new.recorded_at at time zone zone - interval '5 hours')::date;
  new.branch_id := coalesce(
    (select o.branch_id from orders o where o.restaurant_id = new.restaurant_id and o.id = new.order_id),
    (select b.branch_id from reservations b where b.restaurant_id = new.restaurant_id and b.id = new.reservation_id));
  return new;
end $$;

create trigger payments_service_day before insert on payments
  for each row when (new.service_day is null) execute function store_service_day();
create trigger refunds_service_day before insert on refunds
  for each row when (new.service_day is null) execute function store_service_day();

-- Erases the refund reasons of an erased guest's orders and reservations. It returns their payments, whose audit entries and events are
-- erased next.
create function erase_refund_reasons(orders uuid[]) returns table (id bigint)
  language sql security definer set search_path = app, pg_temp as $$
  with paid as (
    select p.id from payments p
    where p.restaurant_id = current_tenant() and (p.order_id = any (orders) or p.reservation_id = any (orders))
  ),
  erased as (
    update refunds r set reason = null from paid
    where r.restaurant_id = current_tenant() and r.payment_id = paid.id and r.reason is not null
  )
  select paid.id from paid
$$;

-- Erases the refund reasons of an erased guest's payments that belong to no order and no reservation.
create function erase_refund_reasons_of(payment_ids bigint[]) returns void
  language sql security definer set search_path = app, pg_temp as $$
  update refunds r set reason = null where r.restaurant_id = current_tenant() and r.payment_id = any (payment_ids) and r.reason is not null
$$;

revoke all on function erase_refund_reasons, erase_refund_reasons_of from public;
grant execute on function erase_refund_reasons, erase_refund_reasons_of to comanda_app;
