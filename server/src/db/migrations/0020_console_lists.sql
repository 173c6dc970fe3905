-- Every filter of the console's lists is found by an index, alone and together with the others. Indexes are on plain columns: under row
-- level security PostgreSQL does not look for a condition such as split_part(…) in one. On a database with millions of rows they may be
-- built beforehand with `create index concurrently` under the names below; this file then finds them there.
set local search_path = app;

-- An area is a prefix of actions: in the order of bytes its actions stand together.
create index if not exists audit_entries_action on audit_entries (restaurant_id, action collate "C", actor_kind, id desc);
create index if not exists audit_entries_actor on audit_entries (restaurant_id, actor_kind, id desc);
create index if not exists audit_entries_subject on audit_entries (restaurant_id, subject_id, id desc);

create index if not exists requests_status on requests (restaurant_id, status, id desc);
create index if not exists requests_token_status on requests (restaurant_id, token_id, status, id desc);

create index if not exists deliveries_state on deliveries (restaurant_id, state, event_type, id desc);
create index if not exists deliveries_endpoint_state on deliveries (restaurant_id, endpoint_id, state, event_type, id desc);
-- deliveries_state answers what this index was for.
drop index deliveries_failed;
