-- no-transaction
create index concurrently tickets_to_acknowledge on app.tickets (restaurant_id, fired_at)
  where state in ('voided', 'withdrawn') and fired_at is not null and acknowledged_at is null
