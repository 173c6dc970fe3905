-- no-transaction
create index concurrently guests_phone_end on app.guests (restaurant_id, reverse(phone_key) text_pattern_ops) where erased_at is null
