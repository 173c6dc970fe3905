-- Messages to guests and owners by mail or SMS.
set local search_path = app;

-- Spellings of one phone number are one recipient: digits of any script, +39, 0039 and +39 (0).
-- A text without digits is its own key.
create function recipient_key(channel text, recipient text) returns text language sql immutable parallel safe as $$
  select case when channel <> 'sms' or digits = '' then lower(recipient) else digits end from (
    select regexp_replace(regexp_replace(regexp_replace(split_part(translate(lower(recipient),
      '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９', '012345678901234567890123456789'), 'x', 1),
      '\(0\)', '', 'g'), '[^0-9]', '', 'g'), '^00', '') as digits) spelt
$$;

call create_id_sequence('notification_ids');
create table notifications (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('notification_ids'),
  kind text not null,
  channel text not null check (channel in ('email', 'sms')),
  recipient text not null,
  language text not null,
  subject text not null,
  body text not null,
  guest_id bigint,
  state text not null check (state in ('queued', 'sent', 'failed', 'skipped')),
  attempts integer not null default 0,
  last_failure text,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- What a mail is about, such as one week of shifts of one branch: a newer mail about it replaces one that is still queued.
  topic text,
  -- What a message is about, so that a page about it can show the state of the message.
  about_kind text check (about_kind in ('reservation', 'waiting', 'order', 'review', 'shift_week', 'staff')),
  about_id text,
  -- Why the last attempt failed, in a word that a page has a sentence for. `last_failure` keeps the text for the operator.
  failure text check (failure in ('not_set_up', 'address', 'country', 'refused', 'unreachable', 'limit', 'replaced')),
  retries integer not null default 0,
  set_aside_at timestamptz(3),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, guest_id) references guests
);
create index notifications_newest on notifications (restaurant_id, created_at desc, id desc);
create index notifications_guest on notifications (restaurant_id, guest_id);
create index notifications_age on notifications (updated_at) where state <> 'queued';
create index notifications_recipient on notifications (app.recipient_key(channel, recipient), updated_at) where state = 'sent';
create index notifications_sent on notifications (restaurant_id, channel, updated_at) where state = 'sent';
create index notifications_topic on notifications (restaurant_id, topic) where topic is not null and state = 'queued';
create index notifications_failed on notifications (restaurant_id, created_at desc, id desc)
  where set_aside_at is null and (state = 'failed' or failure = 'limit');
create index notifications_about on notifications (restaurant_id, about_kind, about_id, id desc) where about_kind is not null;
call enable_tenant_rls('notifications');

-- Counts a recipient's messages over all venues, so that several venues cannot flood one person. It returns a number only.
create function count_sent_to(to_channel text, to_recipient text, since timestamptz) returns integer
  language sql stable security definer set search_path = app, pg_temp as $$
  select count(*)::integer from notifications
  where recipient_key(channel, recipient) = recipient_key(to_channel, to_recipient) and channel = to_channel
    and state = 'sent' and updated_at > since
$$;

create function purge_notifications(updated_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (select ctid as place from notifications where state <> 'queued' and updated_at < updated_before
      order by updated_at limit least(row_count, 10000) for update skip locked),
    gone as (delete from notifications where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function count_sent_to, purge_notifications from public;
grant execute on function count_sent_to, purge_notifications to comanda_app;
