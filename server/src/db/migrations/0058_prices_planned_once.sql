set local search_path = app;

-- A dish or size has one planned price for a moment. Of several, the one that was planned last stays.
delete from scheduled_prices p using scheduled_prices later
where later.restaurant_id = p.restaurant_id and later.item_id = p.item_id and later.starts_at = p.starts_at
  and later.variant_id is not distinct from p.variant_id and later.id > p.id;
create unique index scheduled_prices_once on scheduled_prices (restaurant_id, item_id, variant_id, starts_at) nulls not distinct;
drop index scheduled_prices_item;

-- A happy hour names a category, dish or size once.
delete from happy_hour_targets t using happy_hour_targets first
where first.restaurant_id = t.restaurant_id and first.happy_hour_id = t.happy_hour_id and first.sort_order < t.sort_order
  and (first.category_id, first.item_id, first.variant_id) is not distinct from (t.category_id, t.item_id, t.variant_id);
create unique index happy_hour_targets_once on happy_hour_targets (restaurant_id, happy_hour_id, category_id, item_id, variant_id)
  nulls not distinct;
