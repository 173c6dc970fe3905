-- Requests for reviews, and the reviews.
set local search_path = app;

-- A guest who is to be asked for a review, or was asked. `message_id` is the message with the link: the link is signed for it, and the
-- message may be deleted before the request is. `ended`: the request was removed before it was sent.
call create_id_sequence('review_request_ids');
create table review_requests (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('review_request_ids'),
  order_id uuid,
  reservation_id uuid,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'used', 'skipped', 'ended')),
  due_at timestamptz(3) not null,
  message_id bigint,
  expires_at timestamptz(3),
  skip_reason text,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders,
  foreign key (restaurant_id, reservation_id) references reservations,
  check (num_nonnulls(order_id, reservation_id) = 1),
  check (state not in ('sent', 'used') or (message_id is not null and expires_at is not null))
);
create unique index review_requests_order on review_requests (restaurant_id, order_id);
create unique index review_requests_reservation on review_requests (restaurant_id, reservation_id);
create unique index review_requests_message on review_requests (restaurant_id, message_id);
create index review_requests_due on review_requests (due_at) where state = 'waiting';
create index review_requests_venue_due on review_requests (restaurant_id, due_at) where state = 'waiting';
create index review_requests_age on review_requests (due_at);
call enable_tenant_rls('review_requests', 'select, insert, update');

-- One review for an order and one for a booking. Rating and moment never change; an erasure blanks what the guest and the venue wrote.
call create_id_sequence('review_ids');
create table reviews (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('review_ids'),
  order_id uuid,
  reservation_id uuid,
  rating integer not null check (rating between 1 and 5),
  comment text check (length(comment) between 1 and 2000),
  guest_name text,
  created_at timestamptz(3) not null,
  reply text check (length(reply) between 1 and 1000),
  replied_at timestamptz(3),
  replied_by text,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders,
  foreign key (restaurant_id, reservation_id) references reservations,
  check (num_nonnulls(order_id, reservation_id) = 1),
  check ((replied_at is null) = (replied_by is null)),
  check (reply is null or replied_at is not null)
);
create unique index reviews_order on reviews (restaurant_id, order_id);
create unique index reviews_reservation on reviews (restaurant_id, reservation_id);
create index reviews_rating on reviews (restaurant_id, rating, id);
call enable_tenant_rls('reviews', 'select, insert');
grant update (comment, guest_name, reply, replied_at, replied_by) on reviews to comanda_app;

-- Returns the venues that have a guest to ask, for the worker, which serves all venues.
create function venues_with_due_review_requests(at timestamptz, row_count integer) returns setof bigint
  language sql stable security definer set search_path = app, pg_temp as $$
  select distinct due.restaurant_id from (
    select r.restaurant_id from review_requests r where r.state = 'waiting' and r.due_at <= at order by r.due_at limit least(row_count, 1000)
  ) due
$$;

create function purge_review_requests(due_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from review_requests where due_at < due_before
    order by due_at limit least(row_count, 10000) for update skip locked
  ), gone as (delete from review_requests where ctid = any(array(select place from old)) returning 1)
  select count(*)::integer from gone
$$;

revoke all on function venues_with_due_review_requests, purge_review_requests from public;
grant execute on function venues_with_due_review_requests, purge_review_requests to comanda_app;
