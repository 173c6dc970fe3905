-- no-transaction
create index concurrently notifications_about on app.notifications (restaurant_id, about_kind, about_id, id desc) where about_kind is not null
