-- Users of the console: sessions, devices, second factor, one-time links and security alerts. None of it belongs to a venue.
set local search_path = app;

call create_id_sequence('user_ids');
create table users (
  id bigint primary key default nextval('user_ids'),
  email text not null unique check (email = lower(email)),
  name text not null,
  locale text,
  -- argon2id in PHC format; null until the first link is used.
  password_hash text,
  -- The secret is encrypted, because codes are computed from it. totp_last_step is the last used time step, so that no code works twice.
  encrypted_totp_secret text,
  totp_confirmed_at timestamptz(3),
  totp_last_step bigint,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  recovery_hashes bytea[] not null default '{}' check (cardinality(recovery_hashes) <= 10),
  password_version integer not null default 0
);
comment on column users.encrypted_totp_secret is 'encrypted for totp:{id}';
create index users_key on users (split_part(encrypted_totp_secret, '.', 2)) where encrypted_totp_secret is not null;
grant select, insert, update on users to comanda_app;

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

-- A session is found by the hash of its cookie. The cookie is not stored. The id identifies a session in lists.
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
  -- When the password was last entered. Null after a sign-in by link.
  password_at timestamptz(3),
  -- The venues that the session was used in. Their owners see it and can end it; owners of the person's other venues cannot.
  venue_ids bigint[] not null default '{}'
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);
create unique index sessions_id on sessions (id);
create index sessions_device on sessions (device_hash);
grant select, insert, update, delete on sessions to comanda_app;

-- Purging an expired session ends no access.
create trigger sessions_end_access after delete on sessions for each row
  when (old.expires_at > now())
  execute function lock_ended_access('person', 'user_id');

-- Counts wrong second-factor codes since a time, by the first factor: password, known device or mailbox.
create table code_guesses (
  user_id bigint not null references users,
  proof text not null check (proof in ('password', 'device', 'mailbox')),
  since timestamptz(3) not null,
  wrong integer not null check (wrong > 0),
  primary key (user_id, proof)
);
grant select, insert, update, delete on code_guesses to comanda_app;

-- One-time links are sent by mail. A link is found by its hash and expires.
call create_id_sequence('one_time_link_ids');
create table one_time_links (
  id bigint primary key default nextval('one_time_link_ids'),
  kind text not null check (kind in ('invitation', 'reset', 'sign_in')),
  email text not null check (email = lower(email)),
  -- The hash is set when the mail is written, so that the secret exists only in the mail.
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
create index one_time_links_membership on one_time_links (restaurant_id, invited_email);
grant select, insert, update, delete on one_time_links to comanda_app;

-- Requests for a link, for known and unknown addresses alike. A job looks the address up, so that the response time does not reveal whether
-- it has an account.
call create_id_sequence('link_request_ids');
create table link_requests (
  id bigint primary key default nextval('link_request_ids'),
  kind text not null check (kind in ('reset', 'sign_in')),
  email text not null check (email = lower(email)),
  requested_at timestamptz(3) not null,
  unique (kind, email)
);
grant select, insert, update, delete on link_requests to comanda_app;

-- Mails to a user about the security of an account or a venue. An alert is a person's mail: it does not move to another cell with the
-- venue, and is not removed with it.
call create_id_sequence('security_alert_ids');
create table security_alerts (
  id bigint primary key default nextval('security_alert_ids'),
  email text not null check (email = lower(email)),
  kind text not null,
  language text not null,
  subject text not null,
  body text not null,
  state text not null check (state in ('queued', 'sent', 'failed', 'skipped')),
  created_at timestamptz(3) not null,
  -- The venue that the alert is about. The name does not identify it: venues may share a name, and may change it. Null: the account.
  about_restaurant_id bigint
);
create index security_alerts_email on security_alerts (email, kind, created_at);
create index security_alerts_age on security_alerts (created_at);
grant select, insert, update on security_alerts to comanda_app;

-- Answers to console calls that belong to no venue, or take several transactions. Such a call has one effect for its idempotency key.
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

-- Returns the invitations of one e-mail address that were not accepted, the open ones first. It reads over all tenants, by this address
-- only.
create function invitations_of(user_email text, at timestamptz)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_name text, role text, invited_by text, invited_at timestamptz,
    invited_until timestamptz, is_open boolean)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.name, s.role, p.name, s.created_at, ends.at, s.declined_at is null and ends.at > invitations_of.at
  from staff s join restaurants r on r.id = s.restaurant_id left join users p on p.email = s.invited_by
    -- An invitation without an end lasts seven days.
    cross join lateral (select coalesce(s.invited_until, s.created_at + interval '7 days')) ends (at)
  where s.email = lower(user_email) and s.accepted_at is null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by 9 desc, ends.at desc, r.slug limit 1000
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

create function purge_user_answers(created_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select user_id, key_hash from user_answers where created_at < created_before
      order by created_at limit least(row_count, 10000) for update skip locked),
    gone as (delete from user_answers a using old where a.user_id = old.user_id and a.key_hash = old.key_hash returning 1)
  select count(*)::integer from gone
$$;

revoke all on function invitations_of, purge_sessions, purge_known_devices, purge_security_alerts, purge_user_answers from public;
grant execute on function invitations_of, purge_sessions, purge_known_devices, purge_security_alerts, purge_user_answers to comanda_app;
