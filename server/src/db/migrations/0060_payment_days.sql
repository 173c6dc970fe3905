set local search_path = app;

-- Day of service and branch under which a payment counts in takings and reports, as they were when it was recorded: the venue may change its
-- zone later, and a booking its branch. A refund counts on its own day, in the branch of its payment.
alter table payments add column branch_id bigint, add column service_day date;
alter table refunds add column service_day date;

-- For rows that come without a day: from processes of the release before, and from a sandbox whose sample was made before.
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
