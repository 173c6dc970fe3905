/** Status and changes of a reservation that exists. */
import type { NewReservation, Reservation, ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { formatDate, parseDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { recordAudit } from "#platform/activity/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { addVisit, createGuestIfNew, findGuestByContact } from "#venue/guests/service.ts";
import { refundDeposits } from "#venue/orders/payments/service.ts";
import { requestVisitReview } from "#venue/orders/review-requests/service.ts";
import { presentReservation } from "../present.ts";
import { type BookingTries, decideFirst, neededStay } from "../rules/booking.ts";
import { decideSeated, seatedStay } from "../rules/presence.ts";
import { bookingErrors, refuseBooking } from "../rules/refusals.ts";
import { isFree } from "../rules/tables.ts";
import { canMove, occupiesTable } from "../rules/transitions.ts";
import {
  freeTables,
  holdTables,
  listTablesOf,
  lockDay,
  markPresent,
  type ReservationChange,
  type ReservationRow,
  releaseTables,
  rememberFormerGuest,
  updateReservation,
} from "../store.ts";
import { readBookingContext } from "./context.ts";
import { tellGuestOfMove } from "./messages.ts";

/** A cancel emits its own event, every other move `reservation.updated` (open points D163, D164). */
export const moveReservation = async (
  ctx: Ctx,
  reservation: ReservationRow,
  to: ReservationStatus,
  by: "restaurant" | "guest" = "restaurant",
): Promise<Reservation> => {
  if (!canMove(reservation.status, to)) throw apiError("invalid_transition", { from: reservation.status, to });
  const deposit_status = isCalledOff(to) && reservation.deposit_status === "paid" ? "refunded" : reservation.deposit_status;
  if (to === "seated") await assertTablesFree(ctx, reservation);
  const stay = seatedStay({ endsAt: reservation.ends_at }, ctx.now);
  const seated = to === "seated" ? { ends_at: stay.endsAt } : {};
  updateReservation(ctx, reservation, { status: to, deposit_status, ...momentOf(ctx, to), ...seated });
  if (to === "no_show") freeTables(ctx, reservation.id);
  else if (!occupiesTable(to)) releaseTables(ctx, reservation.id);
  if (to === "seated") markPresent(ctx, reservation.id, stay);
  if (to === "seated" && reservation.guest_id !== null) addVisit(ctx, reservation.guest_id, 0);
  if (to === "seated") requestVisitReview(ctx, reservation, stay.endsAt);
  if (isCalledOff(to) && reservation.deposit_status === "paid") await refundDeposits(ctx, reservation.id, null);
  const shown = presentReservation({ ...reservation, status: to, deposit_status, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "reservation.moved",
    subject: { kind: "reservation", id: reservation.id },
    before: { status: reservation.status },
    after: { status: to },
  });
  if (to === "cancelled") emit(ctx, "reservation.cancelled", { reservation: shown, cancelled_by: by });
  else {
    const isDepositMoved = deposit_status !== reservation.deposit_status;
    emit(ctx, "reservation.updated", { reservation: shown, changed: isDepositMoved ? ["status", "deposit_status"] : ["status"] });
  }
  await tellGuestOfMove(ctx, reservation, to);
  return shown;
};

/** A party that comes early or late needs its tables from now on. Another party may still be there. */
const assertTablesFree = async (ctx: Ctx, { id, ends_at }: ReservationRow): Promise<void> => {
  const today = wallClock(ctx.tenant.zone, ctx.now);
  lockDay(ctx, formatDate(today));
  const [tables, context] = await Promise.all([listTablesOf(ctx, [id]), readBookingContext(ctx, today, id)]);
  const stay = seatedStay({ endsAt: ends_at }, ctx.now);
  const isTaken = (tables.get(id) ?? []).some((table) => !isFree(table, stay, context.occupancies));
  if (isTaken) throw validationError(bookingErrors(refuseBooking("table_id", "table_taken")));
};

/** A guest who does not get the table gets the deposit back. */
const isCalledOff = (to: ReservationStatus): boolean => to === "cancelled" || to === "declined";

/** When it happened, for those steps whose moment is kept. */
const momentOf = ({ now }: Ctx, to: ReservationStatus): ReservationChange => {
  if (to === "seated") return { seated_at: now };
  return to === "no_show" ? { no_show_at: now } : {};
};

export type StaffChange = Partial<
  Pick<NewReservation, "party_size" | "date" | "time" | "note" | "name" | "phone" | "email"> & {
    table_ids: readonly number[];
    minutes: number;
  }
>;

const MINUTE_MS = 60_000;

/** Staff change time, tables, party size, contact or note. */
export const changeReservation = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange): Promise<Reservation> => {
  const isOpen = occupiesTable(reservation.status) && reservation.left_at === null;
  if (!isOpen) throw apiError("invalid_transition", { from: reservation.status, to: reservation.status });
  const contact = await contactOf(ctx, reservation, wanted);
  const isMoved = SEATING_FIELDS.some((field) => wanted[field] !== undefined && wanted[field] !== reservation[field]);
  const isReseated = isMoved || wanted.table_ids !== undefined || wanted.minutes !== undefined;
  if (isReseated && reservation.status === "seated") return changeSeated(ctx, reservation, wanted, contact);
  if (isReseated) return reseat(ctx, reservation, wanted, contact);
  const after = { ...reservation, ...contact };
  if (SHOWN_CHANGES.every((field) => after[field] === reservation[field])) return presentReservation(reservation, ctx.tenant.zone);
  updateReservation(ctx, reservation, contact);
  return recordChanges(ctx, reservation, { ...after, updated_at: ctx.now });
};

const SEATING_FIELDS = ["party_size", "date", "time"] as const;

type BookingContact = Pick<ReservationRow, "name" | "phone" | "email" | "note" | "guest_id">;

/**
 * Another number or address belongs to another guest: what is written here must be found when that guest asks for it. Another name with
 * another number is another person, who gets neither the address nor the note of the first.
 */
const contactOf = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange): Promise<BookingContact> => {
  const { name = reservation.name, phone = reservation.phone } = wanted;
  const kept = name !== reservation.name && phone !== reservation.phone ? { email: null, note: null } : reservation;
  const contact = { name, phone, email: wanted.email === undefined ? kept.email : wanted.email };
  const note = wanted.note === undefined ? kept.note : wanted.note || null;
  const isOther = contact.phone !== reservation.phone || contact.email !== reservation.email;
  if (!isOther || (contact.phone === "" && contact.email === null)) return { ...contact, note, guest_id: reservation.guest_id };
  const guest = await findGuestByContact(ctx, contact);
  createGuestIfNew(ctx, guest, contact);
  if (reservation.guest_id !== null && guest.id !== reservation.guest_id) rememberFormerGuest(ctx, reservation.id, reservation.guest_id);
  return { ...contact, note, guest_id: guest.id };
};

/** A party at its table: it has its tables from now on, and its time is no longer a question. It moves to the tables that staff name. */
const changeSeated = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange, contact: BookingContact): Promise<Reservation> => {
  const isTimeWanted = (["date", "time"] as const).some((field) => wanted[field] !== undefined && wanted[field] !== reservation[field]);
  if (isTimeWanted) throw validationError(bookingErrors(refuseBooking("time", "too_soon", { lead_minutes: 0 })));
  const today = wallClock(ctx.tenant.zone, ctx.now);
  lockDay(ctx, formatDate(today));
  const [held, context] = await Promise.all([listTablesOf(ctx, [reservation.id]), readBookingContext(ctx, today, reservation.id)]);
  const kept = held.get(reservation.id) ?? [];
  const sitsSince = reservation.seated_at ?? reservation.starts_at;
  const decided = decideSeated(
    { party_size: wanted.party_size ?? reservation.party_size, table_ids: wanted.table_ids?.length ? wanted.table_ids : kept },
    {
      now: ctx.now,
      endsAt: wanted.minutes === undefined ? reservation.ends_at : new Date(sitsSince.getTime() + wanted.minutes * MINUTE_MS),
    },
    context,
  );
  if ("refusals" in decided) throw validationError(bookingErrors(decided.refusals));
  const change: ReservationChange = {
    ...contact,
    party_size: wanted.party_size ?? reservation.party_size,
    ends_at: decided.endsAt,
    table_id: decided.tableIds[0] ?? null,
    branch_id: decided.branchId ?? reservation.branch_id,
  };
  releaseTables(ctx, reservation.id);
  updateReservation(ctx, reservation, change);
  // The tables are held from now on: before, another party may have been at a table to which this one moved later.
  holdTables(ctx, { reservationId: reservation.id }, decided.tableIds, { from: ctx.now, to: decided.endsAt, isPresent: true });
  return recordChanges(ctx, reservation, { ...reservation, ...change, updated_at: ctx.now });
};

/** Keeps its tables where possible, otherwise finds others unless staff named some. */
const reseat = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange, contact: BookingContact): Promise<Reservation> => {
  const { wish, tries } = await wishOf(ctx, reservation, wanted);
  const day = parseDate(wish.date);
  if (!day) throw validationError(bookingErrors(refuseBooking("date", "not_a_date")));
  releaseTables(ctx, reservation.id);
  lockDay(ctx, wish.date);
  const context = await readBookingContext(ctx, day, reservation.id);
  const isTimeKept = wish.date === reservation.date && wish.time === reservation.time;
  const decided = decideFirst({ wish, tries }, context, { isStaff: true, isTimeKept });
  if ("refusals" in decided) throw validationError(bookingErrors(decided.refusals));
  const change: ReservationChange = {
    ...contact,
    party_size: wish.party_size,
    date: wish.date,
    time: wish.time,
    starts_at: decided.startsAt,
    ends_at: decided.endsAt,
    branch_id: decided.branchId,
    table_id: decided.tableIds[0] ?? null,
    // A party that has arrived today has not arrived on another day. At another time today they are still here.
    ...(wish.date === reservation.date ? {} : { arrived_at: null }),
  };
  const after: ReservationRow = { ...reservation, ...change, updated_at: ctx.now };
  updateReservation(ctx, reservation, change);
  const { startsAt: from, endsAt: to } = neededStay(decided, ctx.now);
  holdTables(ctx, { reservationId: reservation.id }, decided.tableIds, { from, to });
  return recordChanges(ctx, reservation, after);
};

/** What is not wanted stays as it is. A stay that staff made longer keeps its length when the party moves. */
const wishOf = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange): Promise<BookingTries> => {
  const held = (await listTablesOf(ctx, [reservation.id])).get(reservation.id) ?? [];
  const isPartyKept = wanted.party_size === undefined || wanted.party_size === reservation.party_size;
  const minutes = Math.round((reservation.ends_at.getTime() - reservation.starts_at.getTime()) / MINUTE_MS);
  // Joined tables were for the size that the party had: one of them may do now.
  const kept = isPartyKept || reservation.table_id === null ? [held] : [[reservation.table_id], held];
  const wish = {
    party_size: wanted.party_size ?? reservation.party_size,
    date: wanted.date ?? reservation.date,
    time: wanted.time ?? reservation.time,
    branch_id: reservation.branch_id,
    table_ids: [],
    minutes: wanted.minutes ?? (isPartyKept ? minutes : null),
  };
  return { wish, tries: wanted.table_ids ? [wanted.table_ids] : [...kept, []] };
};

const SHOWN_CHANGES = ["name", "phone", "email", "party_size", "date", "time", "table_id", "note"] as const;

/** The audit log records that these changed, not their text, because the log outlives an erased guest. */
const PERSONAL = new Set<string>(["name", "phone", "email", "note"]);

const recordChanges = (ctx: Ctx, before: ReservationRow, after: ReservationRow): Reservation => {
  const changed = SHOWN_CHANGES.filter((field) => before[field] !== after[field]);
  const shown = presentReservation(after, ctx.tenant.zone);
  if (changed.length === 0) {
    // A stay of another length, or other tables beside the first: the API shows neither, and a page does.
    recordAudit(ctx, { action: "reservation.changed", subject: { kind: "reservation", id: after.id } });
    return shown;
  }
  const pick = (row: ReservationRow) => Object.fromEntries(changed.map((field) => [field, PERSONAL.has(field) ? "…" : row[field]]));
  recordAudit(ctx, {
    action: "reservation.changed",
    subject: { kind: "reservation", id: after.id },
    before: pick(before),
    after: pick(after),
  });
  emit(ctx, "reservation.updated", { reservation: shown, changed });
  return shown;
};

type Deposit = { deposit_minor?: number; deposit_status: "pending" | "paid" | "refunded" };

/** The caller has recorded the payment or the refund. */
export const setDeposit = (ctx: Ctx, reservation: ReservationRow, deposit: Deposit): Reservation => {
  const after: ReservationRow = { ...reservation, ...deposit, updated_at: ctx.now };
  updateReservation(ctx, reservation, deposit);
  const changed = (["deposit_minor", "deposit_status"] as const).filter((field) => reservation[field] !== after[field]);
  const shown = presentReservation(after, ctx.tenant.zone);
  const pick = (row: ReservationRow) => Object.fromEntries(changed.map((field) => [field, row[field]]));
  recordAudit(ctx, {
    action: "reservation.changed",
    subject: { kind: "reservation", id: after.id },
    before: pick(reservation),
    after: pick(after),
  });
  if (changed.length > 0) emit(ctx, "reservation.updated", { reservation: shown, changed });
  return shown;
};
