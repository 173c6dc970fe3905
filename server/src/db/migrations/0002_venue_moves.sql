-- Venues that move to another cell.
set local search_path = app;

-- One row per moving venue in both cells; it stays in the cell that the venue has left. It belongs to the cell, so it is not copied
-- with the venue, and it exists before the venue's own row does.
-- copying: the venue works as usual. draining: no new job starts. paused: writes are refused until paused_until, even if the command
-- dies. moved: the venue is in other_cell. arriving: the venue is not complete here yet.
create table venue_moves (
  restaurant_id bigint primary key,
  phase text not null check (phase in ('copying', 'draining', 'paused', 'moved', 'arriving')),
  other_cell integer not null check (other_cell between 0 and 1023),
  paused_until timestamptz(3) check ((phase = 'paused') = (paused_until is not null)),
  updated_at timestamptz(3) not null default clock_timestamp()
);
grant select on venue_moves to comanda_app;

-- The first statement of every transaction of a venue takes this lock and holds it to the end. A move that pauses the venue waits for
-- running transactions, and later ones see the pause. 57P03 is PostgreSQL's code for "cannot connect now".
create function assert_venue_not_moving(venue bigint) returns void language plpgsql as $$
declare
  found_phase text;
  found_cell integer;
begin
  if venue = 0 then
    return;
  end if;
  perform pg_advisory_xact_lock_shared(hashtextextended('venue ' || venue, 0));
  select m.phase, m.other_cell into found_phase, found_cell from app.venue_moves m where m.restaurant_id = venue
    and (m.phase in ('moved', 'arriving') or m.paused_until > clock_timestamp());
  if found_phase is not null then
    raise exception using errcode = '57P03', message = case found_phase
      when 'moved' then format('The venue %s has moved to cell %s', venue, found_cell)
      else format('The venue %s is moving: nothing can be written for a moment', venue) end;
  end if;
end $$;

revoke all on function assert_venue_not_moving from public;
grant execute on function assert_venue_not_moving to comanda_app;

-- Counts the moves of a venue, in both cells of each move. When two cells have a venue, the higher number is the later state.
-- It belongs to the cell, like `venue_moves`, and is not copied with the venue. No row: the venue has never moved.
create table venue_epochs (
  restaurant_id bigint primary key,
  epoch integer not null check (epoch > 0)
);
