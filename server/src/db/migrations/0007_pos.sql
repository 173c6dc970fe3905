-- A connected point of sale: where it is, and every order that was pushed to it.
set local search_path = app;

create table pos_connections (
  restaurant_id bigint primary key references restaurants,
  url text not null check (url like 'https://%'),
  -- Signs every push. It is needed again each time, so it is sealed, not hashed.
  sealed_secret text not null,
  is_active boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
call protect('pos_connections', 'select, insert, update');

call create_ids('pos_push_ids');
create table pos_pushes (
  restaurant_id bigint not null,
  id bigint not null default nextval('pos_push_ids'),
  order_id uuid not null,
  state text not null check (state in ('queued', 'done', 'failed')),
  attempts integer not null default 0,
  last_status integer,
  last_failure text,
  last_duration_ms integer,
  next_attempt_at timestamptz(3),
  -- Frozen when the order was placed: every attempt sends these bytes.
  body text not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, order_id) references orders,
  check ((state = 'queued') = (next_attempt_at is not null))
);
create index pos_pushes_order on pos_pushes (restaurant_id, order_id);
call protect('pos_pushes', 'select, insert, update');
