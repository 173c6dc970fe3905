-- no-transaction
create index concurrently guests_merged on app.guests (restaurant_id, merged_into) where merged_into is not null
