set local search_path = app;

-- Where a table stands on the floor plan, in per cent of the plan from its upper left corner, and what it looks like there.
-- Null: nothing was chosen; the plan then finds a place, and draws a square.
alter table dining_tables
  add column place_x integer check (place_x between 0 and 100),
  add column place_y integer check (place_y between 0 and 100),
  add column shape text check (shape in ('square', 'round', 'long')),
  add constraint dining_tables_place check ((place_x is null) = (place_y is null));
