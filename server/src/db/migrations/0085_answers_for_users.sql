-- Answers to console calls that belong to no venue, or take several transactions. Such a call has one effect for its idempotency key.
set local search_path = app;

-- The answer is encrypted with the key itself, of which only a hash is here.
create table user_answers (
  user_id bigint not null references users (id),
  key_hash bytea not null check (length(key_hash) = 32),
  fingerprint bytea not null check (length(fingerprint) = 32),
  body text not null,
  created_at timestamptz(3) not null,
  primary key (user_id, key_hash)
);
create index user_answers_age on user_answers (created_at);
grant select, insert, update on user_answers to comanda_app;

create function purge_user_answers(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select user_id, key_hash from user_answers where created_at < created_before
      order by created_at limit least(row_count, 10000) for update skip locked),
    gone as (delete from user_answers a using old where a.user_id = old.user_id and a.key_hash = old.key_hash returning 1)
  select count(*)::integer from gone
$$;

revoke all on function purge_user_answers from public;
grant execute on function purge_user_answers to comanda_app;
