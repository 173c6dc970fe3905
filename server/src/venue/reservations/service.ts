/** Availability and reservations. One commit writes the reservation, its tables, the guest, the audit entry and the event. */
import type { Availability, NewReservation, Reservation, ReservationStatus } from "@comanda/contract/venue/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { apiError, validationError } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { addDays, type CalendarDate, parseDate, startOfDay } from "#lib/instant.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { type MessageHeader, type NotificationKind, queueNotification, readMessageHeader } from "#platform/notifications/service.ts";
import { countVisit, createGuestIfNew, findGuestByContact, readLocale } from "#venue/guests/service.ts";
import { readBookingSettings } from "#venue/settings/service.ts";
import { presentReservation } from "./present.ts";
import { type Booking, type BookingContext, decideAvailability, decideBooking } from "./rules/booking.ts";
import { canMove, occupiesTable } from "./rules/transitions.ts";
import {
  assignTables,
  clearBooker,
  findReservation,
  insertReservation,
  listOccupancies,
  listReservationRows,
  lockDay,
  lockReservation,
  type ReservationChange,
  type ReservationFilter,
  type ReservationPosition,
  type ReservationRow,
  releaseTables,
  updateReservation,
} from "./store.ts";

/** Reads from the day before to the day after: a stay may start late and end the next day. */
const readBookingContext = async (ctx: Ctx, date: CalendarDate): Promise<BookingContext> => {
  const { zone } = ctx.tenant;
  const [settings, held] = await Promise.all([
    readBookingSettings(ctx),
    listOccupancies(ctx, startOfDay(zone, addDays(date, -1)), startOfDay(zone, addDays(date, 2))),
  ]);
  const { booking, branches, tables, combinations } = settings;
  return { zone, now: ctx.now, rules: booking, branches, tables, combinations, occupancies: held };
};

export const readAvailability = async (ctx: Ctx, date: string, partySize: number): Promise<Availability> => {
  const day = parseDate(date);
  if (!day) throw validationError({ date: ["Must be a valid date."] });
  return decideAvailability(day, partySize, await readBookingContext(ctx, day));
};

/** Only a sandbox's sample reservation passes an id. */
export const makeReservation = async (ctx: Ctx, wanted: NewReservation, id = newUuid(ctx.now)): Promise<Reservation> => {
  const day = parseDate(wanted.date);
  if (!day) throw validationError({ date: ["Must be a valid date."] });
  const contact = { name: wanted.name, phone: wanted.phone, email: wanted.email ?? null };
  lockDay(ctx, wanted.date);
  const [context, guest, header] = await Promise.all([
    readBookingContext(ctx, day),
    findGuestByContact(ctx, contact),
    readMessageHeader(ctx),
  ]);
  const decided = decideBooking(wanted, context);
  if ("errors" in decided) throw validationError(decided.errors);
  createGuestIfNew(ctx, guest, contact);
  const reservation = rowOf(ctx, wanted, decided, { id, guestId: guest.id });
  insertReservation(ctx, reservation, decided.tableIds);
  const shown = presentReservation(reservation, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "reservation.made",
    subject: { kind: "reservation", id: reservation.id },
    // No contact details: the audit log outlives an erased guest.
    after: { status: shown.status, party_size: shown.party_size, date: shown.date, time: shown.time, table_id: shown.table_id },
  });
  emit(ctx, "reservation.created", { reservation: shown });
  const kind = reservation.status === "pending" ? "reservation.requested" : "reservation.confirmed";
  await notifyGuest(ctx, reservation, kind, { header, locale: guest.locale });
  return shown;
};

/** Through the API a reservation is confirmed unless the body says pending, and needs no deposit (open points D111, D118). */
const rowOf = (ctx: Ctx, wanted: NewReservation, decided: Booking, { id, guestId }: { id: string; guestId: number }): ReservationRow => ({
  id,
  status: wanted.status ?? "confirmed",
  name: wanted.name,
  phone: wanted.phone,
  email: wanted.email ?? null,
  party_size: wanted.party_size,
  date: wanted.date,
  time: wanted.time,
  starts_at: decided.startsAt,
  ends_at: decided.endsAt,
  branch_id: decided.branchId,
  table_id: decided.tableIds[0] ?? null,
  guest_id: guestId,
  note: wanted.note || null,
  deposit_minor: null,
  deposit_status: null,
  created_at: ctx.now,
  updated_at: ctx.now,
});

export const findReservationForChange = async (ctx: Ctx, id: string): Promise<ReservationRow> => {
  const reservation = await lockReservation(ctx, id);
  if (!reservation) throw apiError("not_found");
  return reservation;
};

/** A cancel emits its own event, every other move `reservation.updated` (open points D163, D164). */
export const moveReservation = async (
  ctx: Ctx,
  reservation: ReservationRow,
  to: ReservationStatus,
  by: "restaurant" | "guest" = "restaurant",
): Promise<Reservation> => {
  if (!canMove(reservation.status, to)) throw apiError("invalid_transition", { from: reservation.status, to });
  const deposit_status = to === "cancelled" && reservation.deposit_status === "paid" ? "refunded" : reservation.deposit_status;
  updateReservation(ctx, reservation, { status: to, deposit_status });
  if (!occupiesTable(to)) releaseTables(ctx, reservation.id);
  if (to === "seated" && reservation.guest_id !== null) countVisit(ctx, reservation.guest_id, 0);
  const shown = presentReservation({ ...reservation, status: to, deposit_status, updated_at: ctx.now }, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "reservation.moved",
    subject: { kind: "reservation", id: reservation.id },
    before: { status: reservation.status },
    after: { status: to },
  });
  if (to === "cancelled") emit(ctx, "reservation.cancelled", { reservation: shown, cancelled_by: by });
  else emit(ctx, "reservation.updated", { reservation: shown, changed: ["status"] });
  const notice = NOTIFICATIONS[to];
  if (notice) {
    const [header, locale] = await Promise.all([readMessageHeader(ctx), readLocale(ctx, reservation.guest_id)]);
    await notifyGuest(ctx, reservation, notice, { header, locale });
  }
  return shown;
};

/** The message to the guest after each move. A guest who was seated gets none. */
const NOTIFICATIONS: Partial<Record<ReservationStatus, NotificationKind>> = {
  confirmed: "reservation.confirmed",
  declined: "reservation.cancelled",
  cancelled: "reservation.cancelled",
};

const notifyGuest = async (
  ctx: Ctx,
  reservation: ReservationRow,
  kind: NotificationKind,
  { header, locale }: { header: MessageHeader; locale: string | null },
): Promise<void> => {
  const { guest_id, phone, email, name, date, time, party_size } = reservation;
  // The guest was erased: there is no address to write to.
  if (phone === "" && email === null) return;
  await queueNotification(ctx, {
    kind,
    guest: { id: guest_id, locale, phone, email },
    header,
    facts: { guest: name, date, time, party: party_size },
  });
};

export type StaffChange = Partial<Pick<NewReservation, "party_size" | "date" | "time" | "table_id" | "note">>;

/** Staff change time, table, party size or note. */
export const changeReservation = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange): Promise<Reservation> => {
  if (!occupiesTable(reservation.status)) throw apiError("invalid_transition", { from: reservation.status, to: reservation.status });
  const note = wanted.note === undefined ? reservation.note : wanted.note || null;
  const isMoved = SEATING_FIELDS.some((field) => wanted[field] !== undefined && wanted[field] !== reservation[field]);
  if (isMoved) return reseat(ctx, reservation, { ...wanted, note });
  if (note === reservation.note) return presentReservation(reservation, ctx.tenant.zone);
  updateReservation(ctx, reservation, { note });
  return recordChange(ctx, reservation, { ...reservation, note, updated_at: ctx.now });
};

const SEATING_FIELDS = ["party_size", "date", "time", "table_id"] as const;

/** Releases the reservation's own tables first. Keeps its table where possible, otherwise finds another unless staff named one. */
const reseat = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange & { note: string | null }): Promise<Reservation> => {
  const whole = { ...reservation, ...wanted, status: "confirmed" as const };
  const day = parseDate(whole.date);
  if (!day) throw validationError({ date: ["Must be a valid date."] });
  releaseTables(ctx, reservation.id);
  lockDay(ctx, whole.date);
  const context = await readBookingContext(ctx, day);
  const kept = decideBooking({ ...whole, table_id: wanted.table_id === undefined ? reservation.table_id : wanted.table_id }, context);
  const mayMove = wanted.table_id === undefined && "errors" in kept && kept.errors.table_id !== undefined;
  const decided = mayMove ? decideBooking({ ...whole, table_id: null }, context) : kept;
  if ("errors" in decided) throw validationError(decided.errors);
  const change: ReservationChange = {
    party_size: whole.party_size,
    date: whole.date,
    time: whole.time,
    note: wanted.note,
    starts_at: decided.startsAt,
    ends_at: decided.endsAt,
    branch_id: decided.branchId,
    table_id: decided.tableIds[0] ?? null,
  };
  const after: ReservationRow = { ...reservation, ...change, updated_at: ctx.now };
  updateReservation(ctx, reservation, change);
  assignTables(ctx, after, decided.tableIds);
  return recordChange(ctx, reservation, after);
};

const SHOWN_CHANGES = ["party_size", "date", "time", "table_id", "note"] as const;

const recordChange = (ctx: Ctx, before: ReservationRow, after: ReservationRow): Reservation => {
  const changed = SHOWN_CHANGES.filter((field) => before[field] !== after[field]);
  const shown = presentReservation(after, ctx.tenant.zone);
  if (changed.length === 0) return shown;
  // The audit log records that the note changed, not its text, because the log outlives an erased guest.
  const pick = (row: ReservationRow) => Object.fromEntries(changed.map((field) => [field, field === "note" ? "…" : row[field]]));
  recordAudit(ctx, {
    action: "reservation.changed",
    subject: { kind: "reservation", id: after.id },
    before: pick(before),
    after: pick(after),
  });
  emit(ctx, "reservation.updated", { reservation: shown, changed });
  return shown;
};

export const readReservation = async (ctx: Ctx, id: string): Promise<Reservation> => {
  const reservation = await findReservation(ctx, id);
  if (!reservation) throw apiError("not_found");
  return presentReservation(reservation, ctx.tenant.zone);
};

export const readReservations = (ctx: Ctx, filter: ReservationFilter, position: ReservationPosition | null, rowCount: number) =>
  listReservationRows(ctx, filter, position, rowCount);

/** Returns the ids of the guest's reservations. */
export const eraseBooker = async (ctx: Ctx, guestId: number, name: string): Promise<string[]> =>
  (await clearBooker(ctx, guestId, name)).map(({ id }) => id);
