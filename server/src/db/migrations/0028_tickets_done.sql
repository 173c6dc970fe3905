-- no-transaction
create index concurrently tickets_done on app.tickets (restaurant_id, done_at desc) where state = 'done'
