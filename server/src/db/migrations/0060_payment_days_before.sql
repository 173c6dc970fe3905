-- no-transaction
-- Payments and refunds from before, a venue at a time: a refund that is made meanwhile waits for the rows of its own venue only.
do $$
declare
  venue record;
begin
  for venue in select r.id, r.zone from app.restaurants r order by r.id loop
    update app.payments p set service_day = (p.recorded_at at time zone venue.zone - interval '5 hours')::date,
      branch_id = coalesce(
        (select o.branch_id from app.orders o where o.restaurant_id = p.restaurant_id and o.id = p.order_id),
        (select b.branch_id from app.reservations b where b.restaurant_id = p.restaurant_id and b.id = p.reservation_id))
    where p.restaurant_id = venue.id and p.service_day is null;
    update app.refunds f set service_day = (f.refunded_at at time zone venue.zone - interval '5 hours')::date
    where f.restaurant_id = venue.id and f.service_day is null;
    commit;
  end loop;
end $$;
