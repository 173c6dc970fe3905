-- How many messages a recipient and a venue were sent lately, and the erasure of reasons that staff wrote about a guest.
set local search_path = app;

-- The same phone number in another spelling is the same recipient: digits of any script that has its own, +39, 0039 and +39 (0).
-- What has no digits is its own key.
create function recipient_key(channel text, recipient text) returns text language sql immutable parallel safe as $$
  select case when channel <> 'sms' or digits = '' then lower(recipient) else digits end from (
    select regexp_replace(regexp_replace(regexp_replace(split_part(translate(lower(recipient),
      '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹０１２３４５６７８９', '012345678901234567890123456789'), 'x', 1),
      '\(0\)', '', 'g'), '[^0-9]', '', 'g'), '^00', '') as digits) spelt
$$;
create index messages_recipient on messages (app.recipient_key(channel, recipient), updated_at) where state = 'sent';
create index messages_sent on messages (restaurant_id, channel, updated_at) where state = 'sent';

-- A recipient's messages are counted over all venues, so that several venues cannot flood one person. Only a number leaves.
create function count_sent_to(to_channel text, to_recipient text, since timestamptz) returns integer
  language sql stable security definer set search_path = app, pg_temp as $$
  select count(*)::integer from messages
  where recipient_key(channel, recipient) = recipient_key(to_channel, to_recipient) and channel = to_channel
    and state = 'sent' and updated_at > since
$$;
revoke all on function count_sent_to from public;
grant execute on function count_sent_to to comanda_app;

create index audit_entries_reason on audit_entries (restaurant_id, subject_id) where reason is not null;

-- Activity entries are written once. The one exception is a guest who asked to be erased: reasons may tell about them.
create function erase_audit_reasons(kinds text[], ids text[]) returns void
  language sql security definer set search_path = app, pg_temp as $$
  update audit_entries e set reason = null from unnest(kinds, ids) as about (kind, id)
  where e.restaurant_id = tenant() and e.subject_id = about.id and e.subject_kind = about.kind and e.reason is not null
$$;
revoke all on function erase_audit_reasons from public;
grant execute on function erase_audit_reasons to comanda_app;

-- The same for refunds. Returns the payments of these orders, whose entries and events are next.
create function erase_refund_reasons(orders uuid[]) returns table (id bigint)
  language sql security definer set search_path = app, pg_temp as $$
  with paid as (select p.id from payments p where p.restaurant_id = tenant() and p.order_id = any (orders)),
  erased as (
    update refunds r set reason = null from paid
    where r.restaurant_id = tenant() and r.payment_id = paid.id and r.reason is not null
  )
  select paid.id from paid
$$;
revoke all on function erase_refund_reasons from public;
grant execute on function erase_refund_reasons to comanda_app;
