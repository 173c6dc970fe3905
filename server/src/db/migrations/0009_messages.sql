-- What guests are told, and what became of it.
set local search_path = app;

call create_ids('message_ids');
create table messages (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('message_ids'),
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
  primary key (restaurant_id, id),
  foreign key (restaurant_id, guest_id) references guests
);
create index messages_newest on messages (restaurant_id, created_at desc, id desc);
create index messages_guest on messages (restaurant_id, guest_id);
call protect('messages');
