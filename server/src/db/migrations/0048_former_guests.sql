set local search_path = app;

-- The guests that a booking belonged to before staff gave it to another one. Its older events are still about them.
alter table reservations add column former_guest_ids bigint[] not null default '{}';

create index reservations_handed_over on reservations (restaurant_id) where former_guest_ids <> '{}';
