import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";
import { PLACE } from "./experiences.ts";

export type SessionRow = {
  id: number;
  version: number;
  experience_id: number;
  starts_at: Date;
  capacity: number;
  sold: number;
  held: number;
  cancelled_at: Date | null;
};

/** A session with what is sold there. `branch_id` is the branch under which payments count. */
export type SoldSessionRow = SessionRow & {
  name: Translations;
  description: Translations | null;
  price_minor: number;
  is_active: boolean;
  branch_id: number;
  branch_name: Translations;
};

const COLUMNS = sql`id, version, experience_id, starts_at, capacity, sold, held, cancelled_at`;

/** Lists sessions from a moment on, the next ones first. */
export const listSessions = (ctx: Ctx, from: Date, rowCount: number): Promise<SessionRow[]> =>
  ctx.db.query(sql<SessionRow>`
    select ${COLUMNS} from experience_sessions where restaurant_id = ${ctx.tenant.id} and starts_at >= ${from}
    order by starts_at, id limit ${rowCount}`);

/** The session `s` is cancelled, and not all tickets that were paid are refunded. Free ones do not count. */
const HAS_UNREFUNDED = sql`s.cancelled_at is not null and s.sold > 0 and exists (
  select from experience_bookings b
  where b.restaurant_id = s.restaurant_id and b.session_id = s.id and b.state = 'paid' and b.payment_id is not null)`;

/** Before a moment, the latest ones; they are to be refunded also when their day is over. The earliest of them first. */
export const listUnrefundedSessions = async (ctx: Ctx, before: Date, rowCount: number): Promise<SessionRow[]> => {
  const latest = await ctx.db.query(sql<SessionRow>`
    select ${COLUMNS} from experience_sessions s
    where s.restaurant_id = ${ctx.tenant.id} and s.starts_at < ${before} and ${HAS_UNREFUNDED}
    order by s.starts_at desc, s.id desc limit ${rowCount}`);
  return latest.toReversed();
};

const SOLD_SESSION = sql`
  select s.id, s.version, s.experience_id, s.starts_at, s.capacity, s.sold, s.held, s.cancelled_at,
    e.name, e.description, e.price_minor, e.is_active and e.deleted_at is null as is_active, place.id as branch_id, place.name as branch_name
  from experience_sessions s
  join experiences e on e.restaurant_id = s.restaurant_id and e.id = s.experience_id
  ${PLACE}`;

export const findSession = (ctx: Ctx, id: number): Promise<SoldSessionRow | undefined> =>
  first(ctx.db.query(sql<SoldSessionRow>`${SOLD_SESSION} where s.restaurant_id = ${ctx.tenant.id} and s.id = ${id}`));

/** The lock is held until the commit: when two people want the last seat, the second one sees that it is gone. */
export const lockSession = (ctx: Ctx, id: number): Promise<SoldSessionRow | undefined> =>
  first(ctx.db.query(sql<SoldSessionRow>`${SOLD_SESSION} where s.restaurant_id = ${ctx.tenant.id} and s.id = ${id} for update of s`));

/** Sessions to come of these experiences, locked in the order of their ids: until the commit no ticket of them is held, sold or released. */
export const lockSessionsToCome = (ctx: Ctx, experienceIds: readonly number[]): Promise<{ id: number }[]> =>
  ctx.db.query(sql<{ id: number }>`
    select id from experience_sessions
    where restaurant_id = ${ctx.tenant.id} and experience_id = any (${[...experienceIds]}::bigint[]) and starts_at >= ${ctx.now}
      and cancelled_at is null
    order by id for update`);

export type SessionCountsRow = { to_come: number; cancelled: number };

/** Counts the sessions of an experience that are to come, and the cancelled ones without a sale that are still to be deleted. */
export const countSessions = (ctx: Ctx, experienceId: number): Promise<SessionCountsRow> =>
  oneRow(
    ctx.db.query(sql<SessionCountsRow>`
      select count(*) filter (where cancelled_at is null and starts_at >= ${ctx.now})::integer as to_come,
        count(*) filter (where cancelled_at is not null and not was_sold)::integer as cancelled
      from experience_sessions where restaurant_id = ${ctx.tenant.id} and experience_id = ${experienceId}`),
  );

/** Inserts a session for each moment that has none yet. */
export const insertSessions = (ctx: Ctx, experienceId: number, moments: readonly Date[], capacity: number): Promise<SessionRow[]> =>
  ctx.db.query(sql<SessionRow>`
    insert into experience_sessions (restaurant_id, experience_id, starts_at, capacity)
    select ${ctx.tenant.id}::bigint, ${experienceId}::bigint, moment, ${capacity}::integer
    from unnest(${moments.map((moment) => moment.toISOString())}::timestamptz[]) with ordinality given (moment, place) order by given.place
    on conflict do nothing returning ${COLUMNS}`);

export const updateCapacity = (ctx: Ctx, id: number, capacity: number): Promise<SessionRow | undefined> =>
  first(
    ctx.db.query(sql<SessionRow>`
      update experience_sessions set capacity = ${capacity}, version = version + 1
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

export const cancelSessions = (ctx: Ctx, ids: readonly number[]): Promise<SessionRow[]> =>
  ctx.db.query(sql<SessionRow>`
    update experience_sessions set cancelled_at = ${ctx.now}, version = version + 1
    where restaurant_id = ${ctx.tenant.id} and id = any (${[...ids]}::bigint[]) returning ${COLUMNS}`);

/** How many bookings keep an experience: those with tickets for sessions to come, and those of cancelled sessions that are not refunded. */
export type BookedExperienceRow = { id: number; key: string; branch_id: number; to_come: number; unrefunded: number };

/** Experiences that no booking keeps are missing. */
export const listBookedExperiences = (ctx: Ctx): Promise<BookedExperienceRow[]> =>
  ctx.db.query(sql<BookedExperienceRow>`
    with booked as (
      select s.id, s.experience_id, false as is_cancelled from experience_sessions s
      where s.restaurant_id = ${ctx.tenant.id} and s.starts_at >= ${ctx.now} and s.cancelled_at is null and s.sold + s.held > 0
      union all
      select s.id, s.experience_id, true from experience_sessions s where s.restaurant_id = ${ctx.tenant.id} and ${HAS_UNREFUNDED}
    )
    select e.id, e.key, place.id as branch_id, count(*) filter (where not s.is_cancelled)::integer as to_come,
      count(*) filter (where s.is_cancelled and b.payment_id is not null)::integer as unrefunded
    from booked s
    join experiences e on e.restaurant_id = ${ctx.tenant.id} and e.id = s.experience_id and e.deleted_at is null
    ${PLACE}
    join experience_bookings b on b.restaurant_id = e.restaurant_id and b.session_id = s.id and b.counted is not null
    group by e.id, e.key, place.id order by e.id`);

/** Cancels the sessions of removed experiences. They are locked and have no tickets. */
export const cancelSessionsOfRemoved = (ctx: Ctx): void =>
  ctx.db.defer(sql`
    update experience_sessions s set cancelled_at = ${ctx.now}, version = s.version + 1 from experiences e
    where s.restaurant_id = ${ctx.tenant.id} and s.starts_at >= ${ctx.now} and s.cancelled_at is null
      and e.restaurant_id = s.restaurant_id and e.id = s.experience_id and e.deleted_at is not null`);
