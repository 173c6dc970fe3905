/** Availability and reservations. One commit writes the reservation, its tables, the guest, the audit entry and the event. */
import type { Availability, NewReservation, Reservation } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { parseDate } from "#lib/instant.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { readMessageHeader } from "#platform/messages/notifications/service.ts";
import { createGuestIfNew, findGuestByContact } from "#venue/guests/service.ts";
import { presentReservation } from "../present.ts";
import { type Allowances, type Booking, type BookingWish, decideAvailability, decideBooking } from "../rules/booking.ts";
import { bookingErrors, programBookingErrors, refuseBooking } from "../rules/refusals.ts";
import type { Stay } from "../rules/tables.ts";
import {
  clearBooker,
  countBookingsOf,
  countBookingsOfBranches,
  countBookingsOn,
  countTablesOfBlocks,
  findBookingToCome,
  findReservation,
  holdTables,
  insertReservation,
  keepReservation,
  listHandedBookings,
  listReservationRows,
  listReservationsOfGuest,
  lockDay,
  lockReservation,
  lockReservationsOfGuest,
  lockTables,
  type ReservationRow,
  releaseBlocks,
  updateReservationGuest,
} from "../store.ts";
import { readBookingContext } from "./context.ts";
import { notifyGuest } from "./messages.ts";

export { listReservationRows };

export const readAvailability = async (ctx: Ctx, date: string, partySize: number): Promise<Availability> => {
  const day = parseDate(date);
  if (!day) throw validationError(bookingErrors(refuseBooking("date", "not_a_date")));
  return decideAvailability(day, partySize, await readBookingContext(ctx, day));
};

type Booker = Pick<NewReservation, "name" | "phone" | "email" | "note" | "status">;

/** Only a sandbox's sample reservation passes an id. */
export const makeReservation = (ctx: Ctx, { table_id, ...wanted }: NewReservation, id = newUuid(ctx.now)): Promise<Reservation> =>
  book(ctx, { booker: wanted, wish: { ...wanted, table_ids: table_id ? [table_id] : [] }, id });

/** Staff book by phone: they may join tables, and the rules that keep guests from booking do not hold for them. */
export const makeStaffReservation = (ctx: Ctx, booker: Booker, wish: BookingWish): Promise<Reservation> =>
  book(ctx, { booker, wish, id: newUuid(ctx.now), allowances: { isStaff: true } });

type NewBooking = { booker: Booker; wish: BookingWish; id: string; allowances?: Allowances };

const book = async (ctx: Ctx, { booker, wish, id, allowances }: NewBooking): Promise<Reservation> => {
  const day = parseDate(wish.date);
  if (!day) throw validationError(bookingErrors(refuseBooking("date", "not_a_date")));
  const contact = { name: booker.name, phone: booker.phone, email: booker.email ?? null };
  lockDay(ctx, wish.date);
  const [context, guest, header] = await Promise.all([
    readBookingContext(ctx, day),
    findGuestByContact(ctx, contact),
    readMessageHeader(ctx),
  ]);
  const decided = decideBooking(wish, context, allowances);
  if ("refusals" in decided)
    throw validationError(allowances?.isStaff ? bookingErrors(decided.refusals) : programBookingErrors(decided.refusals));
  createGuestIfNew(ctx, guest, contact);
  const reservation = rowOf(ctx, { booker, wish, decided }, { id, guestId: guest.id });
  insertReservation(ctx, reservation, decided.tableIds);
  const shown = recordNewReservation(ctx, reservation);
  const kind = reservation.status === "pending" ? "reservation.requested" : "reservation.confirmed";
  await notifyGuest(ctx, reservation, kind, { header, locale: guest.locale });
  return shown;
};

export const recordNewReservation = (ctx: Ctx, reservation: ReservationRow): Reservation => {
  const shown = presentReservation(reservation, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "reservation.made",
    subject: { kind: "reservation", id: reservation.id },
    // No contact details: the audit log outlives an erased guest.
    after: { status: shown.status, party_size: shown.party_size, date: shown.date, time: shown.time, table_id: shown.table_id },
  });
  emit(ctx, "reservation.created", { reservation: shown });
  return shown;
};

/** Through the API a reservation is confirmed unless the body says pending, and needs no deposit (open points D111, D118). */
const rowOf = (
  ctx: Ctx,
  { booker, wish, decided }: { booker: Booker; wish: BookingWish; decided: Booking },
  { id, guestId }: { id: string; guestId: number },
): ReservationRow => ({
  ...NEVER_HERE,
  id,
  status: booker.status ?? "confirmed",
  name: booker.name,
  phone: booker.phone,
  email: booker.email ?? null,
  party_size: wish.party_size,
  date: wish.date,
  time: wish.time,
  starts_at: decided.startsAt,
  ends_at: decided.endsAt,
  branch_id: decided.branchId,
  table_id: decided.tableIds[0] ?? null,
  guest_id: guestId,
  note: booker.note || null,
  created_at: ctx.now,
  updated_at: ctx.now,
});

/** A new booking, before anything happened. */
export const NEVER_HERE = {
  version: 1,
  is_walk_in: false,
  arrived_at: null,
  seated_at: null,
  left_at: null,
  no_show_at: null,
  deposit_minor: null,
  deposit_status: null,
} as const;

/** A booking that its caller has locked. */
export type OpenReservation = ReservationRow;

export const findReservationForChange = async (ctx: Ctx, id: string): Promise<ReservationRow> => {
  const reservation = await lockReservation(ctx, id);
  if (!reservation) throw apiError("not_found");
  return reservation;
};

export const readReservation = async (ctx: Ctx, id: string): Promise<Reservation> => {
  const reservation = await findReservation(ctx, id);
  if (!reservation) throw apiError("not_found");
  return presentReservation(reservation, ctx.tenant.zone);
};

/** The reservations of one guest: for the profile, a merge, an export and an erasure. */
export { findReservation, keepReservation, listHandedBookings, listReservationsOfGuest, lockReservationsOfGuest, updateReservationGuest };

const EXPORTED_MAX = 100_000;

/** Returns the ids of the guest's reservations. */
export const eraseBooker = async (ctx: Ctx, guestId: number, name: string): Promise<string[]> =>
  (await clearBooker(ctx, guestId, name)).map(({ id }) => id);

export const readWholeReservationsOfGuest = async (ctx: Ctx, guestId: number): Promise<Reservation[]> =>
  (await listReservationsOfGuest(ctx, guestId, EXPORTED_MAX)).map((row) => presentReservation(row, ctx.tenant.zone));

/** Tables that are held for something else than a booking. */
export {
  countBookingsOf,
  countBookingsOfBranches,
  countBookingsOn,
  countTablesOfBlocks,
  findBookingToCome,
  lockDay,
  lockTables,
  releaseBlocks,
};

export const holdForBlock = (ctx: Ctx, blockId: string, tableIds: readonly number[], { startsAt, endsAt }: Stay): void =>
  holdTables(ctx, { blockId }, tableIds, { from: startsAt, to: endsAt });
