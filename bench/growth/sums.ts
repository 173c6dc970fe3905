/** What follows from the orders: guests with their visits, the sales of each day; and bookings, which follow from nothing. */
import { guestName, guestPhone, hashOf, uuid7, venueOf } from "./orders.ts";
import {
  BOOKED_IN_DAYS,
  BOOKINGS,
  DAYS,
  GUESTS_OF_TYPICAL,
  ORDERS_PER_BOOKING,
  type Scale,
  STEP,
  sizesOf,
  TABLES,
  VENUES_PER_HEAVY,
  ZONE,
} from "./scale.ts";
import { type Blocks, guestId } from "./venues.ts";

export const SALES = `
  insert into daily_sales (restaurant_id, date, branch_id, orders, revenue_minor)
  select restaurant_id, sold_on, branch_id, count(*) filter (where counts), coalesce(sum(total_minor) filter (where counts), 0)
  from (select restaurant_id, sold_on, branch_id, total_minor, status not in ('rejected', 'cancelled') as counts from orders) o
  group by 2, 1, 3 order by 2, 1, 3`;

export const fillGuests = (scale: Scale): string => {
  const { heavy, guests } = sizesOf(scale);
  const ofAll = GUESTS_OF_TYPICAL * scale.venues;
  const id = `(${STEP} + g * ${STEP})`;
  return `
  insert into guests (restaurant_id, id, key, name, phone, email, marketing_opted_in, marketing_opted_in_at, visits_count, total_spend_minor,
    last_visit_at, created_at, updated_at, changed_at)
  select ${STEP} + v * ${STEP}, ${id}, 'guest-' || g, ${guestName(id)}, ${guestPhone(id)}, case when g % 3 = 0 then 'guest-' || g || '@mail.example' end, g % 4 = 0,
    case when g % 4 = 0 then '${scale.until}'::timestamptz - interval '1 year' end, coalesce(s.visits, 0), coalesce(s.spent, 0), s.last_at,
    coalesce(s.first_at, '${scale.until}'::timestamptz - interval '1 year'), coalesce(s.last_at, '${scale.until}'::timestamptz - interval '1 year'),
    coalesce(s.last_at, '${scale.until}'::timestamptz - interval '1 year')
  from (select g, case when g < ${ofAll} then g % ${scale.venues} else (g - ${ofAll}) % ${heavy} * ${VENUES_PER_HEAVY} end as v
        from generate_series(0::bigint, ${guests - 1}) g offset 0) g
    left join (select guest_id, count(*) filter (where status = 'completed') as visits, coalesce(sum(total_minor) filter (where status = 'completed'), 0) as spent,
                 max(updated_at) as last_at, min(placed_at) as first_at from orders group by guest_id) s on s.guest_id = ${id}
  order by g`;
};

/**
 * Two sittings a day. Of the past as many as orders ask for, each at a table of its own by ordinal and day; on the day of the
 * bench so many for every venue.
 */
export const fillBookings = (scale: Scale, blocks: Blocks): string => {
  const branches = blocks.get("branches") ?? { first: STEP, rows: 1 };
  const tables = blocks.get("dining_tables") ?? { first: STEP, rows: 1 };
  const past = Math.floor(scale.orders / ORDERS_PER_BOOKING);
  const pastDay = `(date '${scale.until}' - ${DAYS} + (b * ${DAYS} / ${past})::integer)`;
  return `
  with b as materialized (
    select v, day, turn, seat, ${hashOf("row_number() over (order by day, v, turn, seat)", scale.seed + 7)} as h from (
      select distinct v, day, turn, seat from (
        select ${venueOf("h", scale)} as v, ${pastDay} as day, (h >> 20) % 4 as turn, (h >> 30) % ${TABLES} as seat
        from (select b, ${hashOf("b", scale.seed + 5)} as h from generate_series(0::bigint, ${past - 1}) b offset 0) x) y
      union all
      select v, date '${scale.until}' + ${BOOKED_IN_DAYS}, s % 3, s / 3
      from generate_series(0::bigint, ${scale.venues - 1}) v, generate_series(0, case when v % ${VENUES_PER_HEAVY} = 0 then ${BOOKINGS.heavy} else ${BOOKINGS.typical} end - 1) s) z
  ), made as materialized (
    select *, ${STEP} + v * ${STEP} as rid, (day + (array['12:00', '13:45', '19:30', '21:15'])[1 + turn]::time) at time zone '${ZONE}' as starts_at,
      ${guestId("v", `(h % ${GUESTS_OF_TYPICAL})`, scale)} as guest,
      ${tables.first} + (v * ${tables.rows} + seat) * ${STEP} as table_id from b
  ), named as materialized (select *, ${uuid7("(extract(epoch from starts_at)::bigint - 86400) * 1000", "h")} as id from made),
  r as (
    insert into reservations (restaurant_id, id, status, name, phone, party_size, date, time, starts_at, ends_at, branch_id, table_id, guest_id, created_at, updated_at)
    select rid, id, case when day < date '${scale.until}' then 'seated' else 'confirmed' end, ${guestName("guest")}, ${guestPhone("guest")}, 2, day,
      (array['12:00', '13:45', '19:30', '21:15'])[1 + turn], starts_at, starts_at + interval '90 minutes',
      ${branches.first} + v * ${branches.rows * STEP}, table_id, guest, starts_at - interval '1 day', starts_at - interval '1 day' from named order by starts_at, rid
  )
  insert into reservation_tables (restaurant_id, reservation_id, table_id, during)
  select rid, id, table_id, tstzrange(starts_at, starts_at + interval '90 minutes') from named order by starts_at, rid`;
};
