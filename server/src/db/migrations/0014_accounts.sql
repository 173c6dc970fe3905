-- Users of the console: sessions, devices, second factor, one-time links and security alerts. None of it belongs to a restaurant.
set local search_path = app;

call create_id_sequence('user_ids');
create table users (
  id bigint primary key default nextval('user_ids'),
  email text not null unique check (email = lower(email)),
  name text not null,
  locale text,
  -- argon2id in PHC format; null until the first link is used.
  password_hash text,
  -- Encrypted, because codes are computed from it. totp_last_step is the last used time step, so that no code works twice.
  encrypted_totp_secret text,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  recovery_hashes bytea[] not null default '{}' check (cardinality(recovery_hashes) <= 10),
  password_version integer not null default 0
);
grant select, insert, update on users to comanda_app;
comment on column users.encrypted_totp_secret is 'encrypted for totp:{id}';
create index users_key on users (split_part(encrypted_totp_secret, '.', 2)) where encrypted_totp_secret is not null;

-- A browser that has signed in before. Its cookie holds the secret, this table the hash. Wrong passwords from other devices do not lock
-- it out. Deleting a device deletes its sessions.
create table known_devices (
  hash bytea primary key check (length(hash) = 32),
  user_id bigint not null references users,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index known_devices_user on known_devices (user_id);
create index known_devices_expiry on known_devices (expires_at);
grant select, insert, update, delete on known_devices to comanda_app;

-- A session is found by the hash of its cookie. The cookie is not stored.
-- The id identifies a session in lists. password_at is when the password was last entered; null after a sign-in by link.
call create_id_sequence('session_ids');
create table sessions (
  hash bytea primary key check (length(hash) = 32),
  user_id bigint not null references users,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  address text,
  client text,
  id bigint not null default nextval('session_ids'),
  device_hash bytea references known_devices on delete cascade,
  password_at timestamptz(3)
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
grant select, insert, update, delete on sessions to comanda_app;
create unique index sessions_id on sessions (id);
create index sessions_device on sessions (device_hash);

-- Wrong second-factor codes since a time, by the first factor: password, known device or mailbox.
create table code_guesses (
  user_id bigint not null references users,
  proof text not null check (proof in ('password', 'device', 'mailbox')),
  since timestamptz(3) not null,
  wrong integer not null check (wrong > 0),
  primary key (user_id, proof)
);
grant select, insert, update, delete on code_guesses to comanda_app;

-- One-time links sent by mail. A link is found by its hash and expires.
call create_id_sequence('one_time_link_ids');
create table one_time_links (
  id bigint primary key default nextval('one_time_link_ids'),
  kind text not null check (kind in ('invitation', 'reset', 'sign_in')),
  email text not null check (email = lower(email)),
  -- Set when the mail is written, so that the secret exists only in the mail.
  hash bytea unique check (length(hash) = 32),
  restaurant_id bigint references restaurants,
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  created_at timestamptz(3) not null,
  -- The password version when the link was created. A password change invalidates older links.
  password_version integer not null default 0,
  invited_email text generated always as (case when kind = 'invitation' then email end) stored,
  -- Deleting the membership deletes its invitation.
  constraint one_time_links_membership foreign key (restaurant_id, invited_email) references staff (restaurant_id, email) on delete cascade
);
create index one_time_links_email on one_time_links (email);
create index one_time_links_expiry on one_time_links (expires_at);
grant select, insert, update, delete on one_time_links to comanda_app;
create index one_time_links_membership on one_time_links (restaurant_id, invited_email);

-- Requests for a link, for known and unknown addresses alike. A job looks the address up, so that the response time does not tell.
call create_id_sequence('link_request_ids');
create table link_requests (
  id bigint primary key default nextval('link_request_ids'),
  kind text not null check (kind in ('reset', 'sign_in')),
  email text not null check (email = lower(email)),
  requested_at timestamptz(3) not null,
  unique (kind, email)
);
grant select, insert, update, delete on link_requests to comanda_app;

-- Mails to a user about the security of an account or a venue. They belong to no venue.
call create_id_sequence('security_alert_ids');
create table security_alerts (
  id bigint primary key default nextval('security_alert_ids'),
  email text not null check (email = lower(email)),
  kind text not null,
  language text not null,
  subject text not null,
  body text not null,
  state text not null check (state in ('queued', 'sent', 'failed', 'skipped')),
  created_at timestamptz(3) not null
);
create index security_alerts_email on security_alerts (email, kind, created_at);
create index security_alerts_age on security_alerts (created_at);
grant select, insert, update on security_alerts to comanda_app;

-- The venues of one e-mail address. It reads over all tenants, by this address only.
create function memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1000
$$;

create function invitation_languages(user_email text) returns table (invited text, venue text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select s.locale, r.default_language from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1
$$;

create function purge_sessions(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from sessions where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from sessions s using old where s.hash = old.hash returning 1),
    links as (delete from one_time_links where id in (select id from one_time_links where expires_at < expired_before - interval '30 days'
      limit least(row_count, 10000) for update skip locked) returning 1),
    asked as (delete from link_requests where id in (select id from link_requests where requested_at < expired_before - interval '1 day'
      limit least(row_count, 10000) for update skip locked) returning 1)
  select count(*)::integer from gone where (select count(*) from links) + (select count(*) from asked) >= 0
$$;

create function purge_known_devices(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from known_devices where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from known_devices d using old where d.hash = old.hash returning 1)
  select count(*)::integer from gone
$$;

create function purge_security_alerts(made_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select id from security_alerts where created_at < made_before
      limit least(row_count, 10000) for update skip locked),
    gone as (delete from security_alerts a using old where a.id = old.id returning 1)
  select count(*)::integer from gone
$$;

revoke all on function memberships_of, invitation_languages, purge_sessions, purge_known_devices, purge_security_alerts from public;
grant execute on function memberships_of, invitation_languages, purge_sessions, purge_known_devices, purge_security_alerts to comanda_app;
