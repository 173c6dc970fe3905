/** The verbs of bookings: offer a day, take a booking, move one, change one. Booking, tables, guest, audit and event are one commit. */
import type { Availability, NewReservation, Reservation, ReservationStatus } from "@comanda/contract/reservations.ts";
import type { Ctx } from "#lib/context.ts";
import { fail, invalid } from "#lib/errors.ts";
import { newUuid } from "#lib/ids.ts";
import { addDays, type CalendarDate, parseDate, startOfDay } from "#lib/instant.ts";
import { recordAudit } from "#platform/audit/service.ts";
import { emit } from "#platform/events/service.ts";
import { type Letterhead, type NoticeKind, queueNotice, readLetterhead } from "#platform/notices/service.ts";
import { countVisit, readLocale, recogniseGuest, welcomeGuest } from "#venue/guests/service.ts";
import { readBookingSettings } from "#venue/settings/service.ts";
import { presentReservation } from "./present.ts";
import { type Booking, decideBooking, type House, offerDay } from "./rules/booking.ts";
import { canMove, holdsTable } from "./rules/transitions.ts";
import {
  blankBooker,
  findReservation,
  freeTables,
  holdTables,
  insertReservation,
  listHeld,
  listReservationRows,
  lockDay,
  lockReservation,
  type ReservationChange,
  type ReservationFilter,
  type ReservationPosition,
  type ReservationRow,
  updateReservation,
} from "./store.ts";

/** A stay may begin late and end the next day: a day before and two after see every booking that matters. */
const readHouse = async (ctx: Ctx, date: CalendarDate): Promise<House> => {
  const { zone } = ctx.tenant;
  const [settings, held] = await Promise.all([
    readBookingSettings(ctx),
    listHeld(ctx, startOfDay(zone, addDays(date, -1)), startOfDay(zone, addDays(date, 2))),
  ]);
  const { booking, branches, tables, combinations } = settings;
  return { zone, now: ctx.now, rules: booking, branches, tables, combinations, held };
};

export const readAvailability = async (ctx: Ctx, date: string, partySize: number): Promise<Availability> => {
  const day = parseDate(date);
  if (!day) throw invalid({ date: ["Must be a valid date."] });
  return offerDay(day, partySize, await readHouse(ctx, day));
};

/** The booking of a sandbox's sample is given its id. */
export const makeReservation = async (ctx: Ctx, wanted: NewReservation, id = newUuid(ctx.now)): Promise<Reservation> => {
  const day = parseDate(wanted.date);
  if (!day) throw invalid({ date: ["Must be a valid date."] });
  const contact = { name: wanted.name, phone: wanted.phone, email: wanted.email ?? null };
  lockDay(ctx, wanted.date);
  const [house, guest, letterhead] = await Promise.all([readHouse(ctx, day), recogniseGuest(ctx, contact), readLetterhead(ctx)]);
  const decided = decideBooking(wanted, house);
  if ("faults" in decided) throw invalid(decided.faults);
  welcomeGuest(ctx, guest, contact);
  const reservation = rowOf(ctx, wanted, decided, { id, guestId: guest.id });
  insertReservation(ctx, reservation, decided.tableIds);
  const shown = presentReservation(reservation, ctx.tenant.zone);
  recordAudit(ctx, {
    action: "reservation.made",
    subject: { kind: "reservation", id: reservation.id },
    // No name and no number: a guest who is erased must not live on in the log.
    after: { status: shown.status, party_size: shown.party_size, date: shown.date, time: shown.time, table_id: shown.table_id },
  });
  emit(ctx, "reservation.created", { reservation: shown });
  const kind = reservation.status === "pending" ? "reservation.requested" : "reservation.confirmed";
  await tellGuest(ctx, reservation, kind, { letterhead, locale: guest.locale });
  return shown;
};

/** A booking through the API is firm unless it says otherwise, and asks for no deposit, like one by phone (open points D111, D118). */
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
  if (!reservation) throw fail("not_found");
  return reservation;
};

/** A cancel is its own event; every other move is an update (open points D163, D164). */
export const moveReservation = async (
  ctx: Ctx,
  reservation: ReservationRow,
  to: ReservationStatus,
  by: "restaurant" | "guest" = "restaurant",
): Promise<Reservation> => {
  if (!canMove(reservation.status, to)) throw fail("invalid_transition", { from: reservation.status, to });
  const deposit_status = to === "cancelled" && reservation.deposit_status === "paid" ? "refunded" : reservation.deposit_status;
  updateReservation(ctx, reservation, { status: to, deposit_status });
  if (!holdsTable(to)) freeTables(ctx, reservation.id);
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
  const notice = NOTICES[to];
  if (notice) {
    const [letterhead, locale] = await Promise.all([readLetterhead(ctx), readLocale(ctx, reservation.guest_id)]);
    await tellGuest(ctx, reservation, notice, { letterhead, locale });
  }
  return shown;
};

/** What a guest is told when staff move the booking; a guest who sits at the table need not be told. */
const NOTICES: Partial<Record<ReservationStatus, NoticeKind>> = {
  confirmed: "reservation.confirmed",
  declined: "reservation.cancelled",
  cancelled: "reservation.cancelled",
};

const tellGuest = async (
  ctx: Ctx,
  reservation: ReservationRow,
  kind: NoticeKind,
  { letterhead, locale }: { letterhead: Letterhead; locale: string | null },
): Promise<void> => {
  const { guest_id, phone, email, name, date, time, party_size } = reservation;
  // The booking of a guest who was forgotten: there is nobody left to tell.
  if (phone === "" && email === null) return;
  await queueNotice(ctx, {
    kind,
    guest: { id: guest_id, locale, phone, email },
    letterhead,
    facts: { guest: name, date, time, party: party_size },
  });
};

export type StaffChange = Partial<Pick<NewReservation, "party_size" | "date" | "time" | "table_id" | "note">>;

/** Staff move a booking to another time, table or size, or note something down. */
export const changeReservation = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange): Promise<Reservation> => {
  if (!holdsTable(reservation.status)) throw fail("invalid_transition", { from: reservation.status, to: reservation.status });
  const note = wanted.note === undefined ? reservation.note : wanted.note || null;
  const isMoved = MOVING_FIELDS.some((field) => wanted[field] !== undefined && wanted[field] !== reservation[field]);
  if (isMoved) return reseat(ctx, reservation, { ...wanted, note });
  if (note === reservation.note) return presentReservation(reservation, ctx.tenant.zone);
  updateReservation(ctx, reservation, { note });
  return tellChange(ctx, reservation, { ...reservation, note, updated_at: ctx.now });
};

const MOVING_FIELDS = ["party_size", "date", "time", "table_id"] as const;

/** Its own tables count as free. It keeps its table if that will do; otherwise one is found, unless staff named one. */
const reseat = async (ctx: Ctx, reservation: ReservationRow, wanted: StaffChange & { note: string | null }): Promise<Reservation> => {
  const whole = { ...reservation, ...wanted, status: "confirmed" as const };
  const day = parseDate(whole.date);
  if (!day) throw invalid({ date: ["Must be a valid date."] });
  freeTables(ctx, reservation.id);
  lockDay(ctx, whole.date);
  const house = await readHouse(ctx, day);
  const kept = decideBooking({ ...whole, table_id: wanted.table_id === undefined ? reservation.table_id : wanted.table_id }, house);
  const mayMove = wanted.table_id === undefined && "faults" in kept && kept.faults.table_id !== undefined;
  const decided = mayMove ? decideBooking({ ...whole, table_id: null }, house) : kept;
  if ("faults" in decided) throw invalid(decided.faults);
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
  holdTables(ctx, after, decided.tableIds);
  return tellChange(ctx, reservation, after);
};

const SHOWN_CHANGES = ["party_size", "date", "time", "table_id", "note"] as const;

const tellChange = (ctx: Ctx, before: ReservationRow, after: ReservationRow): Reservation => {
  const changed = SHOWN_CHANGES.filter((field) => before[field] !== after[field]);
  const shown = presentReservation(after, ctx.tenant.zone);
  if (changed.length === 0) return shown;
  // That the note changed, but not the note: what a guest wrote must not outlive the guest in the log.
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
  if (!reservation) throw fail("not_found");
  return presentReservation(reservation, ctx.tenant.zone);
};

export const readReservations = (ctx: Ctx, filter: ReservationFilter, position: ReservationPosition | null, rowCount: number) =>
  listReservationRows(ctx, filter, position, rowCount);

/** The ids of the bookings that were the guest's. */
export const forgetBooker = async (ctx: Ctx, guestId: number, name: string): Promise<string[]> =>
  (await blankBooker(ctx, guestId, name)).map(({ id }) => id);
