-- no-transaction
create index concurrently orders_of_guest on app.orders (restaurant_id, guest_id, placed_at desc)
