set local search_path = app;

-- A card pays an order, or tickets of an experience, which have no order.
alter table gift_card_entries drop constraint gift_card_entries_check1,
  add constraint gift_card_entries_redeemed check (kind <> 'redeem' or payment_id is not null) not valid;
