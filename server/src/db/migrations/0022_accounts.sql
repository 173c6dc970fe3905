-- Accounts: known devices, sign-in links, recovery codes, counted guesses of codes, mail about security events.
set local search_path = app;

-- A browser that has signed in to an account. Its cookie holds the secret, this table the hash. Wrong passwords from elsewhere
-- cannot lock it out. A device that ends takes its sessions with it.
create table known_devices (
  hash bytea primary key check (length(hash) = 32),
  person_id bigint not null references people,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null
);
create index known_devices_person on known_devices (person_id);
create index known_devices_expiry on known_devices (expires_at);
grant select, insert, update, delete on known_devices to comanda_app;

-- The id names a session in a list. password_at is when the password was last given in it; null after a sign-in by a link.
call create_ids('session_ids');
alter table sessions
  add column id bigint not null default nextval('session_ids'),
  add column device_hash bytea references known_devices on delete cascade,
  add column password_at timestamptz(3);
create unique index sessions_id on sessions (id);
create index sessions_device on sessions (device_hash);

-- Hashes of recovery codes that were not used yet. The version counts passwords: a link made for an older one is dead.
alter table people
  add column recovery_hashes bytea[] not null default '{}' check (cardinality(recovery_hashes) <= 10),
  add column password_version integer not null default 0;

-- Wrong codes of the second factor since a moment, by what was proven before: the password, a known device, or the mailbox.
create table code_guesses (
  person_id bigint not null references people,
  proof text not null check (proof in ('password', 'device', 'mailbox')),
  since timestamptz(3) not null,
  wrong integer not null check (wrong > 0),
  primary key (person_id, proof)
);
grant select, insert, update, delete on code_guesses to comanda_app;

-- An invitation ends with the membership that it invites to.
delete from person_links l where kind = 'invitation'
  and not exists (select from staff s where s.restaurant_id = l.restaurant_id and s.email = l.email);
alter table person_links
  drop constraint person_links_kind_check,
  add constraint person_links_kind_check check (kind in ('invitation', 'reset', 'sign_in')),
  add column password_version integer not null default 0,
  add column invited_email text generated always as (case when kind = 'invitation' then email end) stored,
  add constraint person_links_membership foreign key (restaurant_id, invited_email) references staff (restaurant_id, email) on delete cascade;
create index person_links_membership on person_links (restaurant_id, invited_email);

-- Every request for a link, whether the address has an account or not: a job looks, so that the answer takes equally long.
call create_ids('link_request_ids');
create table link_requests (
  id bigint primary key default nextval('link_request_ids'),
  kind text not null check (kind in ('reset', 'sign_in')),
  email text not null check (email = lower(email)),
  requested_at timestamptz(3) not null,
  unique (kind, email)
);
grant select, insert, update, delete on link_requests to comanda_app;

-- Mail to a person about the security of an account or a venue. It belongs to no venue.
call create_ids('security_alert_ids');
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

create or replace function forget_sessions(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from sessions where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from sessions s using old where s.hash = old.hash returning 1),
    links as (delete from person_links where id in (select id from person_links where expires_at < expired_before - interval '30 days'
      limit least(row_count, 10000) for update skip locked) returning 1),
    asked as (delete from link_requests where id in (select id from link_requests where requested_at < expired_before - interval '1 day'
      limit least(row_count, 10000) for update skip locked) returning 1)
  select count(*)::integer from gone where (select count(*) from links) + (select count(*) from asked) >= 0
$$;

create function forget_known_devices(expired_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select hash from known_devices where expires_at < expired_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from known_devices d using old where d.hash = old.hash returning 1)
  select count(*)::integer from gone
$$;

create function forget_security_alerts(made_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select id from security_alerts where created_at < made_before
      limit least(row_count, 10000) for update skip locked),
    gone as (delete from security_alerts a using old where a.id = old.id returning 1)
  select count(*)::integer from gone
$$;

revoke all on function forget_known_devices, forget_security_alerts from public;
grant execute on function forget_known_devices, forget_security_alerts to comanda_app;
