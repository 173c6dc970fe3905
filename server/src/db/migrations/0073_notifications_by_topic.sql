-- no-transaction
create index concurrently notifications_topic on app.notifications (restaurant_id, topic) where topic is not null and state = 'queued'
