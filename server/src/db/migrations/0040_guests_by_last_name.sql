-- no-transaction
create index concurrently guests_last_name on app.guests (restaurant_id, lower(substring(name from '[^ ]+ *$')) text_pattern_ops) where erased_at is null
