import type { TicketMethod, TicketsState } from "@comanda/contract/console/experience-limits.ts";
import type { Translations } from "@comanda/contract/shared.ts";
import { sql } from "kysely";
import { first, oneRow } from "#db/query.ts";
import type { Ctx } from "#lib/context.ts";

/** The tickets of one party for one session. */
export type ExperienceBookingRow = {
  id: number;
  version: number;
  session_id: number;
  tickets: number;
  name: string;
  phone: string | null;
  email: string | null;
  guest_id: number | null;
  state: TicketsState;
  hold_ends_at: Date;
  amount_minor: number;
  method: TicketMethod | null;
  payment_id: number | null;
  paid_at: Date | null;
  arrived: number;
  sold_by: string;
};

const COLUMNS = sql`id, version, session_id, tickets, name, phone, email, guest_id, state, hold_ends_at, amount_minor, method, payment_id, paid_at,
  arrived, sold_by`;
const BOOKING = sql`select ${COLUMNS} from experience_bookings`;

export const findBooking = (ctx: Ctx, id: number): Promise<ExperienceBookingRow | undefined> =>
  first(ctx.db.query(sql<ExperienceBookingRow>`${BOOKING} where restaurant_id = ${ctx.tenant.id} and id = ${id}`));

export const findBookingByPayment = (ctx: Ctx, paymentId: number): Promise<ExperienceBookingRow | undefined> =>
  first(ctx.db.query(sql<ExperienceBookingRow>`${BOOKING} where restaurant_id = ${ctx.tenant.id} and payment_id = ${paymentId}`));

/** The caller has locked the session. */
export const lockBooking = (ctx: Ctx, id: number): Promise<ExperienceBookingRow | undefined> =>
  first(ctx.db.query(sql<ExperienceBookingRow>`${BOOKING} where restaurant_id = ${ctx.tenant.id} and id = ${id} for update`));

/** This one, and the holds of its session that have run out, in the order of ids. After the session was locked. */
export const lockBookingAndOldHolds = (ctx: Ctx, { id, session_id }: Pick<ExperienceBookingRow, "id" | "session_id">): void =>
  ctx.db.defer(sql`
    select from experience_bookings where restaurant_id = ${ctx.tenant.id} and session_id = ${session_id}
      and (id = ${id} or (state = 'held' and hold_ends_at <= ${ctx.now}))
    order by id for update`);

/** Held and paid ones, by name; at most as many as there are seats. */
export const listOpenBookings = (ctx: Ctx, sessionId: number, rowCount: number): Promise<ExperienceBookingRow[]> =>
  ctx.db.query(sql<ExperienceBookingRow>`
    ${BOOKING} where restaurant_id = ${ctx.tenant.id} and session_id = ${sessionId} and state in ('held', 'paid')
    order by lower(name), id limit ${rowCount}`);

/** The latest first. */
export const listEndedBookings = (ctx: Ctx, sessionId: number, rowCount: number): Promise<ExperienceBookingRow[]> =>
  ctx.db.query(sql<ExperienceBookingRow>`
    ${BOOKING} where restaurant_id = ${ctx.tenant.id} and session_id = ${sessionId} and state in ('cancelled', 'expired')
    order by id desc limit ${rowCount}`);

export type NewExperienceBooking = Pick<
  ExperienceBookingRow,
  "session_id" | "tickets" | "name" | "phone" | "email" | "guest_id" | "state" | "hold_ends_at" | "amount_minor" | "paid_at"
>;

/** The database counts its tickets in the session. */
export const insertBooking = (ctx: Ctx, booking: NewExperienceBooking): Promise<ExperienceBookingRow> =>
  oneRow(
    ctx.db.query(sql<ExperienceBookingRow>`
      insert into experience_bookings (restaurant_id, session_id, tickets, name, phone, email, guest_id, state, hold_ends_at, amount_minor,
        paid_at, sold_by, created_at)
      values (${ctx.tenant.id}, ${booking.session_id}, ${booking.tickets}, ${booking.name}, ${booking.phone}, ${booking.email},
        ${booking.guest_id}, ${booking.state}, ${booking.hold_ends_at}, ${booking.amount_minor}, ${booking.paid_at}, ${ctx.actor.name},
        ${ctx.now})
      returning ${COLUMNS}`),
  );

export const setHeld = (ctx: Ctx, id: number, holdEndsAt: Date): Promise<ExperienceBookingRow> =>
  oneRow(
    ctx.db.query(sql<ExperienceBookingRow>`
      update experience_bookings set state = 'held', hold_ends_at = ${holdEndsAt}, version = version + 1
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

export const setPaid = (ctx: Ctx, id: number, payment: { id: number; method: TicketMethod }): Promise<ExperienceBookingRow> =>
  oneRow(
    ctx.db.query(sql<ExperienceBookingRow>`
      update experience_bookings set state = 'paid', method = ${payment.method}, payment_id = ${payment.id}, paid_at = ${ctx.now},
        version = version + 1
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

/** Their seats can be sold again. */
export const setEnded = (ctx: Ctx, id: number, state: "cancelled" | "expired"): Promise<ExperienceBookingRow> =>
  oneRow(
    ctx.db.query(sql<ExperienceBookingRow>`
      update experience_bookings set state = ${state}, version = version + 1
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

export const setArrived = (ctx: Ctx, id: number, arrived: number): Promise<ExperienceBookingRow> =>
  oneRow(
    ctx.db.query(sql<ExperienceBookingRow>`
      update experience_bookings set arrived = ${arrived}, version = version + 1
      where restaurant_id = ${ctx.tenant.id} and id = ${id} returning ${COLUMNS}`),
  );

/** Holds of a locked session: those that have run out, or all of them. In the order of ids. */
export const endHolds = (ctx: Ctx, sessionId: number, state: "cancelled" | "expired"): Promise<ExperienceBookingRow[]> => {
  const runOut = state === "expired" ? sql`and hold_ends_at <= ${ctx.now}` : sql``;
  return ctx.db.query(sql<ExperienceBookingRow>`
    with ending as (
      select id as ending_id from experience_bookings
      where restaurant_id = ${ctx.tenant.id} and session_id = ${sessionId} and state = 'held' ${runOut} order by id for update
    )
    update experience_bookings set state = ${state}, version = version + 1 from ending
    where restaurant_id = ${ctx.tenant.id} and id = ending.ending_id returning ${COLUMNS}`);
};

export type GuestExperienceRow = Pick<ExperienceBookingRow, "id" | "session_id" | "tickets" | "state"> & {
  name: Translations;
  starts_at: Date;
};

/** The latest ones of a guest, with what they are for. */
export const listTicketsOfGuest = (ctx: Ctx, guestId: number, rowCount: number): Promise<GuestExperienceRow[]> =>
  ctx.db.query(sql<GuestExperienceRow>`
    select b.id, b.session_id, b.tickets, b.state, e.name, s.starts_at from experience_bookings b
    join experience_sessions s on s.restaurant_id = b.restaurant_id and s.id = b.session_id
    join experiences e on e.restaurant_id = s.restaurant_id and e.id = s.experience_id
    where b.restaurant_id = ${ctx.tenant.id} and b.guest_id = ${guestId} order by b.id desc limit ${rowCount}`);

export type WholeExperienceBookingRow = ExperienceBookingRow & { experience: Translations; starts_at: Date; created_at: Date };

/** Lists the bookings of all these guests. */
export const listBookingsOfGuests = (ctx: Ctx, guestIds: readonly number[]): Promise<WholeExperienceBookingRow[]> =>
  ctx.db.query(sql<WholeExperienceBookingRow>`
    select b.id, b.version, b.session_id, b.tickets, b.name, b.phone, b.email, b.guest_id, b.state, b.hold_ends_at, b.amount_minor, b.method,
      b.payment_id, b.paid_at, b.arrived, b.sold_by, b.created_at, e.name as experience, s.starts_at
    from experience_bookings b
    join experience_sessions s on s.restaurant_id = b.restaurant_id and s.id = b.session_id
    join experiences e on e.restaurant_id = s.restaurant_id and e.id = s.experience_id
    where b.restaurant_id = ${ctx.tenant.id} and b.guest_id = any (${[...guestIds]}::bigint[]) order by b.id`);

/** What was sold and when it is stays. Locked in the order of ids. */
export const eraseTicketBuyers = (
  ctx: Ctx,
  guestIds: readonly number[],
  name: string,
): Promise<{ id: number; payment_id: number | null }[]> =>
  ctx.db.query(sql<{ id: number; payment_id: number | null }>`
    with theirs as (
      select id from experience_bookings where restaurant_id = ${ctx.tenant.id} and guest_id = any (${[...guestIds]}::bigint[])
      order by id for update
    )
    update experience_bookings b set name = ${name}, phone = null, email = null, version = b.version + 1 from theirs
    where b.restaurant_id = ${ctx.tenant.id} and b.id = theirs.id returning b.id, b.payment_id`);

/** Locked in the order of ids, as the end of holds locks them. */
export const updateTicketsGuest = (ctx: Ctx, from: number, into: number): void =>
  ctx.db.defer(sql`
    with theirs as (
      select id from experience_bookings where restaurant_id = ${ctx.tenant.id} and guest_id = ${from} order by id for update
    )
    update experience_bookings b set guest_id = ${into} from theirs where b.restaurant_id = ${ctx.tenant.id} and b.id = theirs.id`);
