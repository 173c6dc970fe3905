-- People who sign in to the console. A person may work in several venues: whoever has the mailbox is the person, and
-- the staff list of each venue says what that address may do there. These tables belong to no tenant.
set local search_path = app;

call create_ids('person_ids');
create table people (
  id bigint primary key default nextval('person_ids'),
  email text not null unique check (email = lower(email)),
  name text not null,
  locale text,
  -- argon2id in its usual text form; null until the first link was used.
  password_hash text,
  -- Sealed, because codes are computed from it. The last step that was used, so that no code works twice.
  sealed_totp_secret text,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
grant select, insert, update on people to comanda_app;

-- A session is known by the hash of its cookie; the cookie itself is nowhere.
create table sessions (
  hash bytea primary key check (length(hash) = 32),
  person_id bigint not null references people,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  address text,
  client text
);
create index sessions_person on sessions (person_id);
create index sessions_expiry on sessions (expires_at);
grant select, insert, update, delete on sessions to comanda_app;

-- A link sent by mail, for an invitation or a forgotten password: works once, for a while, known by its hash.
call create_ids('person_link_ids');
create table person_links (
  id bigint primary key default nextval('person_link_ids'),
  kind text not null check (kind in ('invitation', 'reset')),
  email text not null check (email = lower(email)),
  -- Set when the mail is written, so that the secret exists in the mail alone.
  hash bytea unique check (length(hash) = 32),
  restaurant_id bigint references restaurants,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null
);
create index person_links_email on person_links (email);
create index person_links_expiry on person_links (expires_at);
grant select, insert, update, delete on person_links to comanda_app;

create index staff_email on staff (email);

-- Where a person works. It looks over the wall between tenants by one address, nothing else.
create function memberships(person_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(person_email) and r.kind = 'live' order by r.slug limit 1000
$$;

create function forget_sessions(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from sessions where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from sessions s using old where s.hash = old.hash returning 1),
    links as (delete from person_links where id in (select id from person_links where expires_at < expired_before - interval '30 days'
      limit least(row_count, 10000) for update skip locked) returning 1)
  select count(*)::integer from gone where (select count(*) from links) >= 0
$$;

-- What each token asked for lately, and how often in each hour. Written in batches, a moment after the answer.
call create_ids('request_ids');
create table requests (
  restaurant_id bigint not null,
  id bigint not null default nextval('request_ids'),
  token_id bigint not null,
  at timestamptz(3) not null,
  method text not null,
  -- As the contract writes it: ids and query strings are not kept.
  route text not null,
  status integer not null,
  code text,
  ms integer not null,
  address text not null,
  client text,
  request_id text not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, token_id) references tokens
);
create index requests_token on requests (restaurant_id, token_id, id desc);
create index requests_age on requests using brin (at);
call protect('requests', 'select, insert');

create table token_hours (
  restaurant_id bigint not null,
  token_id bigint not null,
  hour timestamptz(3) not null,
  requests integer not null,
  errors integer not null,
  limited integer not null,
  primary key (restaurant_id, token_id, hour),
  foreign key (restaurant_id, token_id) references tokens
) with (fillfactor = 70);
call protect('token_hours', 'select, insert, update');

-- One batch for all venues of the cell. It can only add rows, and each names a token of its own venue.
create function note_requests(batch jsonb) returns void
  language sql security definer set search_path = app, pg_temp as $$
  insert into requests (restaurant_id, token_id, at, method, route, status, code, ms, address, client, request_id)
    select r.restaurant_id, r.token_id, r.at, r.method, r.route, r.status, r.code, r.ms, r.address, r.client, r.request_id
    from jsonb_to_recordset(batch -> 'requests') as r (restaurant_id bigint, token_id bigint, at timestamptz, method text, route text,
      status integer, code text, ms integer, address text, client text, request_id text);
  insert into token_hours (restaurant_id, token_id, hour, requests, errors, limited)
    select h.restaurant_id, h.token_id, h.hour, h.requests, h.errors, h.limited
    from jsonb_to_recordset(batch -> 'hours') as h (restaurant_id bigint, token_id bigint, hour timestamptz, requests integer,
      errors integer, limited integer)
    order by h.restaurant_id, h.token_id, h.hour
  on conflict (restaurant_id, token_id, hour) do update set requests = token_hours.requests + excluded.requests,
    errors = token_hours.errors + excluded.errors, limited = token_hours.limited + excluded.limited;
$$;

create function forget_requests(made_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select restaurant_id, id from requests where at < made_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from requests r using old where r.restaurant_id = old.restaurant_id and r.id = old.id returning 1)
  select count(*)::integer from gone
$$;

revoke all on function memberships, forget_sessions, note_requests, forget_requests from public;
grant execute on function memberships, forget_sessions, note_requests, forget_requests to comanda_app;
