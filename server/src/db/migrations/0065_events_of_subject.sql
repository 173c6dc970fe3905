-- no-transaction
create index concurrently changes_events on app.changes (restaurant_id, subject, area) include (event_id) where event_id is not null
