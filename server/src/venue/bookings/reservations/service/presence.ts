/** A party arrives, sits down at once, leaves, or comes after it was given up. */
import type { Reservation } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { formatDate, parseDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { addVisit, createGuestIfNew, findGuestByContact } from "#venue/guests/service.ts";
import { requestVisitReview } from "#venue/orders/review-requests/service.ts";
import { presentReservation } from "../present.ts";
import { decideFirst, neededStay } from "../rules/booking.ts";
import {
  canArrive,
  canLeave,
  canTakeBackArrival,
  canTakeBackLeaving,
  canTakeBackNoShow,
  decideSeated,
  isDue,
  isExpectedSoon,
} from "../rules/presence.ts";
import { bookingErrors } from "../rules/refusals.ts";
import { timeOf } from "../rules/slots.ts";
import { decideWalkIn, type WalkIn, type WalkInWish, walkInOffers } from "../rules/walk-ins.ts";
import {
  holdTables,
  insertReservation,
  listTablesOf,
  lockDay,
  markGone,
  type ReservationRow,
  releaseTables,
  updatePresence,
  updateReservation,
} from "../store.ts";
import { NEVER_HERE, recordNewReservation } from "./bookings.ts";
import { moveReservation } from "./changes.ts";
import { readBookingContext } from "./context.ts";
import { readFreeTablesContext } from "./table-orders.ts";

const MINUTE_MS = 60_000;

const recordStep = (ctx: Ctx, { id }: ReservationRow, action: string): void =>
  recordAudit(ctx, { action, subject: { kind: "reservation", id } });

const refuseStep = ({ status }: ReservationRow, to: string): Error => apiError("invalid_transition", { from: status, to });

/** The guest waits for the table. Nothing of it is in the API. */
export const markArrived = (ctx: Ctx, reservation: ReservationRow): void => {
  if (!canArrive(reservation) || !isExpectedSoon(reservation, ctx.now)) throw refuseStep(reservation, "arrived");
  updatePresence(ctx, reservation, { arrived_at: ctx.now });
  recordStep(ctx, reservation, "reservation.arrived");
};

export const takeBackArrival = (ctx: Ctx, reservation: ReservationRow): void => {
  if (!canTakeBackArrival(reservation)) throw refuseStep(reservation, "confirmed");
  updatePresence(ctx, reservation, { arrived_at: null });
  recordStep(ctx, reservation, "reservation.arrival_undone");
};

/** The step is refused for another day: a seated party cannot become a booking again. */
export const seatExpected = (ctx: Ctx, reservation: ReservationRow): Promise<Reservation> => {
  if (!isExpectedSoon(reservation, ctx.now)) throw refuseStep(reservation, "seated");
  return moveReservation(ctx, reservation, "seated");
};

/** The step is refused before its time: a guest who calls off beforehand cancels. */
export const markNoShow = (ctx: Ctx, reservation: ReservationRow): Promise<Reservation> => {
  if (!isDue(reservation, ctx.now)) throw refuseStep(reservation, "no_show");
  return moveReservation(ctx, reservation, "no_show");
};

/** The table is free at once. The status stays `seated`, and so does the table of the API. */
export const markLeft = (ctx: Ctx, reservation: ReservationRow): void => {
  if (!canLeave(reservation)) throw refuseStep(reservation, "left");
  updatePresence(ctx, reservation, { left_at: ctx.now });
  markGone(ctx, reservation.id);
  requestVisitReview(ctx, reservation, ctx.now);
  recordStep(ctx, reservation, "reservation.left");
};

/** Tapped by mistake: the party is at its tables again, unless another one has them by now. */
export const takeBackLeaving = async (ctx: Ctx, reservation: ReservationRow): Promise<void> => {
  if (!canTakeBackLeaving(reservation, ctx.now)) throw refuseStep(reservation, "seated");
  const today = wallClock(ctx.tenant.zone, ctx.now);
  lockDay(ctx, formatDate(today));
  const [held, context] = await Promise.all([listTablesOf(ctx, [reservation.id]), readBookingContext(ctx, today, reservation.id)]);
  const wish = { party_size: reservation.party_size, table_ids: held.get(reservation.id) ?? [] };
  const decided = decideSeated(wish, { now: ctx.now, endsAt: reservation.ends_at }, context);
  if ("refusals" in decided) throw validationError(bookingErrors(decided.refusals));
  updatePresence(ctx, reservation, { left_at: null });
  releaseTables(ctx, reservation.id);
  holdTables(ctx, { reservationId: reservation.id }, decided.tableIds, { from: ctx.now, to: decided.endsAt, isPresent: true });
  requestVisitReview(ctx, reservation, decided.endsAt);
  recordStep(ctx, reservation, "reservation.leaving_undone");
};

/** Its own tables if they are free, another one otherwise. */
export const takeBackNoShow = async (ctx: Ctx, reservation: ReservationRow): Promise<Reservation> => {
  if (!canTakeBackNoShow(reservation, ctx.now)) throw refuseStep(reservation, "confirmed");
  const day = parseDate(reservation.date);
  if (!day) throw apiError("not_found");
  lockDay(ctx, reservation.date);
  const [held, context] = await Promise.all([listTablesOf(ctx, [reservation.id]), readBookingContext(ctx, day, reservation.id)]);
  const { party_size, date, time, branch_id, table_id } = reservation;
  const minutes = Math.round((reservation.ends_at.getTime() - reservation.starts_at.getTime()) / MINUTE_MS);
  const wish = { party_size, date, time, branch_id, minutes, table_ids: [] };
  const own = held.get(reservation.id) ?? (table_id === null ? [] : [table_id]);
  const decided = decideFirst({ wish, tries: [own, []] }, context, { isStaff: true, isTimeKept: true });
  if ("refusals" in decided) throw validationError(bookingErrors(decided.refusals));
  releaseTables(ctx, reservation.id);
  const tableId = decided.tableIds[0] ?? null;
  const after: ReservationRow = { ...reservation, status: "confirmed", no_show_at: null, table_id: tableId, updated_at: ctx.now };
  updateReservation(ctx, reservation, { status: "confirmed", no_show_at: null, table_id: tableId });
  const { startsAt: from, endsAt: to } = neededStay(decided, ctx.now);
  holdTables(ctx, { reservationId: reservation.id }, decided.tableIds, { from, to });
  const shown = presentReservation(after, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "reservation.moved",
    subject: { kind: "reservation", id: reservation.id },
    before: { status: reservation.status },
    after: { status: "confirmed" },
  });
  const changed = tableId === reservation.table_id ? ["status"] : ["status", "table_id"];
  emit(ctx, "reservation.updated", { reservation: shown, changed });
  return shown;
};

/** In the venue's language, because it is the name that the API shows. */
const WALK_IN_NAMES: Record<string, string> = { ar: "ضيف بلا حجز" };
const walkInName = (language: string): string => WALK_IN_NAMES[language.slice(0, 2)] ?? "Walk-in";

/** A party without a booking: no message, no lead time. A party from the waitlist has a name and a number. */
export type WalkInParty = { name: string; phone: string; note: string | null; guestId: number | null } | null;

export const seatParty = async (ctx: Ctx, wish: WalkInWish, party: WalkInParty = null): Promise<Reservation> => {
  const clock = wallClock(ctx.tenant.zone, ctx.now);
  const date = formatDate(clock);
  lockDay(ctx, date);
  const [context, guest] = await Promise.all([
    // Staff who choose a table see who sits there.
    wish.table_ids.length === 0 ? readFreeTablesContext(ctx) : readBookingContext(ctx, clock),
    party === null || party.phone === "" || party.guestId !== null ? null : findGuestByContact(ctx, { phone: party.phone, email: null }),
  ]);
  const decided = decideWalkIn(wish, context);
  if ("refusals" in decided) throw validationError(bookingErrors(decided.refusals));
  if (guest !== null && party !== null) createGuestIfNew(ctx, guest, { name: party.name, phone: party.phone, email: null });
  const guestId = party?.guestId ?? guest?.id ?? null;
  const reservation = walkInRow(ctx, { wish, decided, party, guestId });
  insertReservation(ctx, reservation, []);
  holdTables(ctx, { reservationId: reservation.id }, decided.tableIds, { from: decided.startsAt, to: decided.endsAt, isPresent: true });
  if (guestId !== null) addVisit(ctx, guestId, 0);
  requestVisitReview(ctx, reservation, reservation.ends_at);
  return recordNewReservation(ctx, reservation);
};

type SeatedParty = { wish: WalkInWish; decided: WalkIn; party: WalkInParty; guestId: number | null };

const walkInRow = (ctx: Ctx, { wish, decided, party, guestId }: SeatedParty): ReservationRow => {
  const clock = wallClock(ctx.tenant.zone, ctx.now);
  return {
    ...NEVER_HERE,
    id: newUuid(ctx.now),
    status: "seated",
    is_walk_in: true,
    name: party?.name ?? walkInName(ctx.tenant.default_language),
    phone: party?.phone ?? "",
    email: null,
    party_size: wish.party_size,
    date: formatDate(clock),
    time: timeOf(clock.hour * 60 + clock.minute),
    starts_at: decided.startsAt,
    ends_at: decided.endsAt,
    branch_id: decided.branchId,
    table_id: decided.tableIds[0] ?? null,
    guest_id: guestId,
    note: party?.note ?? null,
    arrived_at: ctx.now,
    seated_at: ctx.now,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
};

export const readWalkInOffers = async (ctx: Ctx, branchId: number | null) => walkInOffers(branchId, await readFreeTablesContext(ctx));
