set local search_path = app;

-- What a message is about, so that a page about it can say what became of the message.
alter table notifications
  add column about_kind text check (about_kind in ('reservation', 'waiting', 'order', 'review', 'shift_week', 'staff')),
  add column about_id text,
  -- Why the last attempt failed, in a word that a page has a sentence for. `last_failure` keeps the text for the operator.
  add column failure text check (failure in ('not_set_up', 'address', 'country', 'refused', 'unreachable', 'limit', 'replaced')),
  add column retries integer not null default 0,
  add column set_aside_at timestamptz(3);
create index notifications_failed on notifications (restaurant_id, created_at desc, id desc)
  where set_aside_at is null and (state = 'failed' or failure = 'limit');
