-- Gift cards and their entries.
set local search_path = app;

-- The key of the hashes of a venue's codes. It is a row of the venue, so that codes stay valid when the venue moves to another cell.
create table gift_card_keys (
  restaurant_id bigint primary key references restaurants,
  key bytea not null check (length(key) = 32)
);
call enable_tenant_rls('gift_card_keys', 'select, insert');

-- `balance_minor` is the sum of the card's entries. The application may not write it: each entry changes it.
call create_id_sequence('gift_card_ids');
create table gift_cards (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('gift_card_ids'),
  code_hash bytea not null check (length(code_hash) = 32),
  code_last4 text not null check (length(code_last4) = 4),
  currency text not null,
  source text not null check (source in ('sale', 'staff')),
  initial_minor bigint not null check (initial_minor between 1 and 2147483647),
  balance_minor bigint not null default 0 check (balance_minor between 0 and 2147483647),
  status text not null check (status in ('active', 'frozen', 'expired')),
  -- The last day on which it can be used, on the venue's clock.
  expires_on date,
  guest_id bigint,
  message text,
  issued_by text not null,
  issued_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, guest_id) references guests,
  check (status <> 'expired' or (expires_on is not null and balance_minor = 0))
);
create unique index gift_cards_code on gift_cards (restaurant_id, code_hash);
create index gift_cards_last4 on gift_cards (restaurant_id, code_last4);
create index gift_cards_guest on gift_cards (restaurant_id, guest_id);
call enable_tenant_rls('gift_cards', 'select');
grant insert (restaurant_id, code_hash, code_last4, currency, source, initial_minor, status, expires_on, guest_id, message, issued_by, issued_at),
  update (code_hash, code_last4, status, expires_on, guest_id, message) on gift_cards to comanda_app;

-- Entries are append-only. A card pays an order, or tickets of an experience, which have no order. A redemption has its payment, a refund
-- also the refund; a sale has the payment of the sale.
call create_id_sequence('gift_card_entry_ids');
create table gift_card_entries (
  restaurant_id bigint not null,
  id bigint not null default nextval('gift_card_entry_ids'),
  gift_card_id bigint not null,
  kind text not null check (kind in ('issue', 'redeem', 'refund', 'expire', 'adjust')),
  amount_minor bigint not null check (case kind when 'issue' then amount_minor > 0 when 'refund' then amount_minor > 0
    when 'adjust' then amount_minor <> 0 else amount_minor < 0 end),
  -- What is on the card after this entry.
  balance_minor bigint not null check (balance_minor >= 0),
  order_id uuid,
  payment_id bigint,
  refund_id bigint,
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, gift_card_id) references gift_cards,
  foreign key (restaurant_id, order_id) references orders,
  foreign key (restaurant_id, payment_id) references payments,
  foreign key (restaurant_id, refund_id) references refunds,
  constraint gift_card_entries_redeemed check (kind <> 'redeem' or payment_id is not null),
  check (kind <> 'refund' or (payment_id is not null and refund_id is not null))
);
create index gift_card_entries_card on gift_card_entries (restaurant_id, gift_card_id, id);
create unique index gift_card_entries_issue on gift_card_entries (restaurant_id, gift_card_id) where kind = 'issue';
create unique index gift_card_entries_redemption on gift_card_entries (restaurant_id, payment_id) where kind = 'redeem';
create index gift_card_entries_payment on gift_card_entries (restaurant_id, payment_id);
create unique index gift_card_entries_refund on gift_card_entries (restaurant_id, refund_id);
create index gift_card_entries_order on gift_card_entries (restaurant_id, order_id);
call enable_tenant_rls('gift_card_entries', 'select');
grant insert (restaurant_id, gift_card_id, kind, amount_minor, order_id, payment_id, refund_id, recorded_by, recorded_at)
  on gift_card_entries to comanda_app;

-- Changes the balance together with the entry. Nothing is redeemed from a card that is frozen, expired or past its last day.
create function book_gift_card_entry() returns trigger
  language plpgsql security definer set search_path = app, pg_temp as $$
begin
  update gift_cards c set balance_minor = c.balance_minor + new.amount_minor
  where c.restaurant_id = current_tenant() and c.restaurant_id = new.restaurant_id and c.id = new.gift_card_id
    and (new.kind <> 'redeem' or (c.status = 'active' and (c.expires_on is null or c.expires_on >=
      (new.recorded_at at time zone (select r.zone from restaurants r where r.id = c.restaurant_id))::date)))
  returning c.balance_minor into new.balance_minor;
  if new.balance_minor is null then
    raise exception 'The gift card % takes no entry of the kind %', new.gift_card_id, new.kind;
  end if;
  return new;
end $$;
revoke all on function book_gift_card_entry from public;

-- A reset of the sandbox and a move copy entries with their balance, and the card with its own. The application may not write that column.
create trigger gift_card_entries_book before insert on gift_card_entries
  for each row when (new.balance_minor is null) execute function book_gift_card_entry();
