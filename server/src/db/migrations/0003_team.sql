-- The members of a venue's team, and the invitations to it.
set local search_path = app;

-- `accepted_at` is when the person accepted the invitation. Null: the person is only invited, which gives no access. An invitation ends at
-- `invited_until`, or when it is declined; the row stays, so that the venue sees its state.
call create_id_sequence('staff_ids');
create table staff (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('staff_ids'),
  email text not null check (email = lower(email)),
  name text not null,
  role text not null check (role in ('owner', 'manager', 'staff')),
  locale text,
  created_at timestamptz(3) not null,
  -- When the person last used this venue in the console. Null: never.
  seen_at timestamptz(3),
  accepted_at timestamptz(3),
  declined_at timestamptz(3),
  invited_until timestamptz(3),
  -- The e-mail address of the person who sent the invitation.
  invited_by text check (invited_by = lower(invited_by)),
  -- An owner ended the sessions of this person in this venue: sessions that were opened until then give no access to it.
  sessions_ended_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, email)
);
create index staff_email on staff (email);
call enable_tenant_rls('staff');

-- A person who is only invited has no access that could end.
create trigger staff_change_ends_access after update of email, role on staff for each row
  when (old.accepted_at is not null and (old.email is distinct from new.email or old.role is distinct from new.role))
  execute function lock_ended_access('venue', 'restaurant_id');
create trigger staff_removal_ends_access after delete on staff for each row
  when (old.accepted_at is not null) execute function lock_ended_access('venue', 'restaurant_id');

-- Returns the venues of one e-mail address. It reads over all tenants, by this address only.
create function memberships_of(user_email text)
  returns table (restaurant_id bigint, slug text, name jsonb, staff_id bigint, staff_name text, role text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select r.id, r.slug, r.name, s.id, s.name, s.role from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and s.accepted_at is not null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1000
$$;

create function invitation_languages(user_email text) returns table (invited text, venue text)
  language sql stable security definer set search_path = app, pg_temp as $$
  select s.locale, r.default_language from staff s join restaurants r on r.id = s.restaurant_id
  where s.email = lower(user_email) and s.accepted_at is not null and r.kind = 'live'
    and not exists (select from venue_moves m where m.restaurant_id = r.id and m.phase in ('moved', 'arriving'))
  order by r.slug limit 1
$$;

-- The invitations of all venues to one mailbox are counted together. The links of a removed member are deleted with it; these rows stay
-- for the day that is counted.
call create_id_sequence('invitation_mail_ids');
create table invitation_mails (
  id bigint primary key default nextval('invitation_mail_ids'),
  mailbox text not null check (mailbox = lower(mailbox)),
  queued_at timestamptz(3) not null
);
create index invitation_mails_mailbox on invitation_mails (mailbox, queued_at);
create index invitation_mails_age on invitation_mails (queued_at);
grant select, insert on invitation_mails to comanda_app;

create function purge_invitation_mails(queued_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp as $$
  with old as (select id from invitation_mails where queued_at < queued_before limit least(row_count, 10000) for update skip locked),
    gone as (delete from invitation_mails m using old where m.id = old.id returning 1)
  select count(*)::integer from gone
$$;

revoke all on function memberships_of, invitation_languages, purge_invitation_mails from public;
grant execute on function memberships_of, invitation_languages, purge_invitation_mails to comanda_app;
