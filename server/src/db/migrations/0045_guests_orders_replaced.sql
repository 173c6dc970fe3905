-- no-transaction
drop index concurrently if exists app.orders_guest
