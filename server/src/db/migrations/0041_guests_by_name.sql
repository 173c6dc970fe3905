-- no-transaction
create index concurrently guests_name on app.guests (restaurant_id, lower(name) text_pattern_ops) where erased_at is null
