-- no-transaction
create index concurrently tickets_in_kitchen on app.tickets (restaurant_id, fired_at) where state = 'fired' and fired_at is not null
