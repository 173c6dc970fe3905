-- Ingredients, recipes and stock.
set local search_path = app;

-- What items are made of. Quantities are whole thousandths of the unit.
call create_id_sequence('ingredient_ids');
create table ingredients (
  restaurant_id bigint not null references restaurants,
  id bigint not null default nextval('ingredient_ids'),
  key text not null,
  name jsonb not null,
  sku text not null default '',
  unit text not null check (unit in ('kg', 'g', 'l', 'ml', 'piece', 'bottle', 'can', 'pack', 'portion')),
  -- Dishes and options that need it are sold out while no branch has any of it.
  sells_out boolean not null default false,
  sort_order integer not null,
  deleted_at timestamptz(3),
  primary key (restaurant_id, id),
  unique (restaurant_id, key)
);
call enable_tenant_rls('ingredients');

-- What one portion takes: of an item, in addition of one of its variants, or of an option.
call create_id_sequence('recipe_line_ids');
create table recipe_lines (
  restaurant_id bigint not null,
  id bigint not null default nextval('recipe_line_ids'),
  item_id bigint,
  variant_id bigint,
  option_id bigint,
  ingredient_id bigint not null,
  quantity_milli bigint not null check (quantity_milli between 1 and 1000000000),
  primary key (restaurant_id, id),
  foreign key (restaurant_id, item_id) references items,
  foreign key (restaurant_id, variant_id) references item_variants,
  foreign key (restaurant_id, option_id) references modifier_options,
  foreign key (restaurant_id, ingredient_id) references ingredients,
  check ((item_id is null) <> (option_id is null)),
  check (variant_id is null or item_id is not null)
);
create unique index recipe_lines_item on recipe_lines (restaurant_id, item_id, variant_id, ingredient_id) nulls not distinct where item_id is not null;
create unique index recipe_lines_option on recipe_lines (restaurant_id, option_id, ingredient_id) where option_id is not null;
create index recipe_lines_ingredient on recipe_lines (restaurant_id, ingredient_id);
call enable_tenant_rls('recipe_lines');

-- `on_hand_milli` is `carried_milli` and the sum of the entries. The application writes neither: each entry changes it. It is below zero
-- when orders took more than was counted.
create table stock_levels (
  restaurant_id bigint not null,
  branch_id bigint not null,
  ingredient_id bigint not null,
  par_milli bigint check (par_milli between 0 and 1000000000000),
  on_hand_milli bigint not null default 0 check (on_hand_milli between -1000000000000000 and 1000000000000000),
  -- The sum of entries that were old enough to be removed.
  carried_milli bigint not null default 0,
  -- The first count or delivery. Before it, what is there is unknown.
  known_since timestamptz(3),
  counted_at timestamptz(3),
  primary key (restaurant_id, branch_id, ingredient_id),
  foreign key (restaurant_id, branch_id) references branches,
  foreign key (restaurant_id, ingredient_id) references ingredients
);
create index stock_levels_ingredient on stock_levels (restaurant_id, ingredient_id);
call enable_tenant_rls('stock_levels', 'select');
grant insert (restaurant_id, branch_id, ingredient_id, par_milli), update (par_milli) on stock_levels to comanda_app;

-- Entries are append-only. An order takes with its acceptance and gives back when it, or a line of it, is taken back.
call create_id_sequence('stock_entry_ids');
create table stock_entries (
  restaurant_id bigint not null,
  id bigint not null default nextval('stock_entry_ids'),
  branch_id bigint not null,
  ingredient_id bigint not null,
  kind text not null check (kind in ('order', 'return', 'delivery', 'waste', 'count')),
  amount_milli bigint not null check (case kind when 'return' then amount_milli > 0 when 'delivery' then amount_milli > 0
    when 'count' then true else amount_milli < 0 end),
  counted_milli bigint check (counted_milli between 0 and 1000000000000),
  -- What is there after this entry, and the par level at that moment.
  on_hand_milli bigint not null,
  par_milli bigint,
  order_id uuid,
  line_id bigint,
  reason text,
  recorded_by text not null,
  recorded_at timestamptz(3) not null,
  primary key (restaurant_id, id),
  foreign key (restaurant_id, branch_id, ingredient_id) references stock_levels,
  foreign key (restaurant_id, order_id) references orders,
  check ((kind in ('order', 'return')) = (order_id is not null)),
  check ((kind = 'count') = (counted_milli is not null)),
  check (kind <> 'count' or on_hand_milli = counted_milli)
);
create index stock_entries_level on stock_entries (restaurant_id, branch_id, ingredient_id, recorded_at, id);
create index stock_entries_order on stock_entries (restaurant_id, order_id);
create unique index stock_entries_taken on stock_entries (restaurant_id, order_id, ingredient_id) where kind = 'order';
create unique index stock_entries_returned on stock_entries (restaurant_id, order_id, ingredient_id, line_id) nulls not distinct where kind = 'return';
create index stock_entries_recorded_at on stock_entries (recorded_at);
call enable_tenant_rls('stock_entries', 'select');
grant insert (restaurant_id, branch_id, ingredient_id, kind, amount_milli, counted_milli, order_id, line_id, reason, recorded_by, recorded_at)
  on stock_entries to comanda_app;

-- Changes the level together with the entry, and writes the result on the entry. A count says what is there: its amount is the difference.
create function book_stock_entry() returns trigger
  language plpgsql security definer set search_path = app, pg_temp as $$
declare
  before_milli bigint;
begin
  insert into stock_levels (restaurant_id, branch_id, ingredient_id)
  select new.restaurant_id, new.branch_id, new.ingredient_id
  where not exists (select from stock_levels l
    where l.restaurant_id = new.restaurant_id and l.branch_id = new.branch_id and l.ingredient_id = new.ingredient_id)
  on conflict do nothing;
  select l.on_hand_milli, l.par_milli into strict before_milli, new.par_milli from stock_levels l
  where l.restaurant_id = current_tenant() and l.restaurant_id = new.restaurant_id and l.branch_id = new.branch_id
    and l.ingredient_id = new.ingredient_id for update;
  if new.kind = 'count' then new.amount_milli := new.counted_milli - before_milli; end if;
  new.on_hand_milli := before_milli + new.amount_milli;
  update stock_levels l set on_hand_milli = new.on_hand_milli,
    known_since = case when new.kind in ('count', 'delivery') then coalesce(l.known_since, new.recorded_at) else l.known_since end,
    counted_at = case when new.kind = 'count' then greatest(l.counted_at, new.recorded_at) else l.counted_at end
  where l.restaurant_id = new.restaurant_id and l.branch_id = new.branch_id and l.ingredient_id = new.ingredient_id;
  return new;
end $$;
revoke all on function book_stock_entry from public;

-- A reset of the sandbox and a move copy entries with their results, and the levels. The application may not write those columns.
create trigger stock_entries_book before insert on stock_entries
  for each row when (new.on_hand_milli is null) execute function book_stock_entry();

-- Deletes old entries, and adds their sum to the level. Levels are locked in the order of their keys.
create function purge_stock_entries(recorded_before timestamptz, row_count integer) returns integer
  language sql security definer set search_path = app, pg_temp set enable_seqscan = off set enable_bitmapscan = off as $$
  with old as (
    select ctid as place from stock_entries where recorded_at < recorded_before
    order by recorded_at limit least(row_count, 10000) for update skip locked
  ), gone as (
    delete from stock_entries where ctid = any(array(select place from old)) returning restaurant_id, branch_id, ingredient_id, amount_milli
  ), sums as (
    select restaurant_id, branch_id, ingredient_id, sum(amount_milli)::bigint as amount_milli from gone group by 1, 2, 3
  ), held as (
    select l.restaurant_id, l.branch_id, l.ingredient_id, s.amount_milli
    from stock_levels l join sums s using (restaurant_id, branch_id, ingredient_id)
    order by l.restaurant_id, l.ingredient_id, l.branch_id for update of l
  ), carried as (
    update stock_levels l set carried_milli = l.carried_milli + h.amount_milli from held h
    where l.restaurant_id = h.restaurant_id and l.branch_id = h.branch_id and l.ingredient_id = h.ingredient_id
  )
  select count(*)::integer from gone
$$;
revoke all on function purge_stock_entries from public;
grant execute on function purge_stock_entries to comanda_app;
