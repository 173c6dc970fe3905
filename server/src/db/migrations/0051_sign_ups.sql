set local search_path = app;

-- Links by which a person may open a venue: an operator's invitation, or one that the person asked for. They belong to no venue.
call create_id_sequence('sign_up_ids');
create table sign_ups (
  id bigint primary key default nextval('sign_up_ids'),
  source text not null check (source in ('invited', 'asked')),
  email text not null check (email = lower(email)),
  plan text references plans (code),
  locale text,
  -- Null until the link is made, and where the mail has none because the address has an account.
  hash bytea unique check (length(hash) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3)
);
create index sign_ups_email on sign_ups (email, created_at);
create index sign_ups_expiry on sign_ups (expires_at);
grant select, insert, update, delete on sign_ups to comanda_app;

create function purge_sign_ups(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select id from sign_ups where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from sign_ups s using old where s.id = old.id returning 1)
  select count(*)::integer from gone
$$;
revoke all on function purge_sign_ups from public;
grant execute on function purge_sign_ups to comanda_app;

-- A venue that was opened in the browser. Until it is live it is suspended, since the moment it was opened.
create table venue_openings (
  restaurant_id bigint primary key references restaurants (id),
  opened_at timestamptz(3) not null,
  test_order_id uuid,
  live_at timestamptz(3),
  foreign key (restaurant_id, test_order_id) references orders (restaurant_id, id)
);
create index venue_openings_test_order on venue_openings (restaurant_id, test_order_id);
call enable_tenant_rls('venue_openings');
