/** The day of bookings as the host works with it. Every write names the version that the page saw. */
import type { BookingDay, BookingDetails, BookingStep, DayBooking, TableOrder } from "@comanda/contract/console/bookings.ts";
import { readChangedSubjects, readChangePosition } from "#db/change-position.ts";
import type { Ctx } from "#lib/context.ts";
import { type ApiError, apiError, validationError } from "#lib/errors.ts";
import { parseDate } from "#lib/instant.ts";
import { canContinue, formatPosition, type PagePosition, parsePosition } from "#lib/page-position.ts";
import { serviceDay } from "#lib/service-day.ts";
import { readSteps, stateChanged } from "#platform/activity/audit/service.ts";
import { findReservationForChange, makeStaffReservation, type OpenReservation } from "#venue/bookings/reservations/service/bookings.ts";
import { changeReservation, moveReservation, type StaffChange } from "#venue/bookings/reservations/service/changes.ts";
import { readBookingsById, readDayBookings } from "#venue/bookings/reservations/service/day.ts";
import {
  markArrived,
  markLeft,
  markNoShow,
  readWalkInOffers,
  seatExpected,
  seatParty,
  takeBackArrival,
  takeBackLeaving,
  takeBackNoShow,
} from "#venue/bookings/reservations/service/presence.ts";
import { readTableOrders } from "#venue/bookings/reservations/service/table-orders.ts";
import { readServiceDay } from "#venue/bookings/reservations/service/times.ts";
import { readBlocks } from "#venue/bookings/table-blocks/service.ts";
import { readWaitlist } from "#venue/bookings/waitlist/service.ts";
import { readDepositPayments } from "#venue/orders/payments/service.ts";
import { listBranchNames, listFloorTables } from "#venue/settings/service.ts";

const presentTableOrder = ({ id, number, table_id, since }: Awaited<ReturnType<typeof readTableOrders>>[number]): TableOrder => ({
  order_id: id,
  number,
  table_id,
  since: since.toISOString(),
});

const DAY_BOOKINGS_MAX = 1000;
const STEPS_MAX = 100;
const ALL = "all";
const UUID = /^[0-9a-f]{8}-/;

/** The position is read before the bookings, as for the orders board: nothing that commits in between is missed. */
export const readDay = async (ctx: Ctx, wanted: string | undefined, after: string | undefined): Promise<BookingDay> => {
  const today = serviceDay(ctx.tenant.zone, ctx.now);
  const date = wanted ?? today;
  const day = parseDate(date);
  if (!day) throw validationError({ date: ["Must be a valid date."] });
  const known = after === undefined ? null : parsePosition(after);
  const isToday = date === today;
  const [present, changed, service, tables, branches, blocks, waitlist, orders] = await Promise.all([
    readChangePosition(ctx),
    known === null ? [ALL] : readChangedSubjects(ctx, "reservations", known.number),
    readServiceDay(ctx, day),
    listFloorTables(ctx),
    listBranchNames(ctx),
    readBlocks(ctx, day),
    readWaitlist(ctx),
    isToday ? readTableOrders(ctx) : [],
  ]);
  const position: PagePosition = { ...present, at: ctx.now };
  const isWhole =
    known === null ||
    changed.includes(ALL) ||
    !canContinue(known, position) ||
    // A page that showed tomorrow, which is today now, lacks the parties that are still here.
    (isToday && serviceDay(ctx.tenant.zone, known.at) !== today);
  const ids = changed.filter((subject) => UUID.test(subject));
  const bookings = isWhole ? await readDayBookings(ctx, day, DAY_BOOKINGS_MAX + 1) : await readBookingsById(ctx, ids);
  return {
    ...service,
    date,
    position: formatPosition(position),
    is_whole: isWhole,
    bookings: bookings.slice(0, DAY_BOOKINGS_MAX),
    is_cut: bookings.length > DAY_BOOKINGS_MAX,
    waitlist,
    blocks,
    table_orders: orders.map(presentTableOrder),
    tables,
    branches,
    currency: ctx.tenant.currency,
    zone: ctx.tenant.zone,
    now: ctx.now.toISOString(),
  };
};

export const readOneBooking = async (ctx: Ctx, id: string): Promise<DayBooking> => {
  const [booking] = await readBookingsById(ctx, [id]);
  if (!booking) throw apiError("not_found");
  return booking;
};

export const readBookingDetails = async (ctx: Ctx, id: string): Promise<BookingDetails> => {
  const [booking, steps, payments] = await Promise.all([
    readOneBooking(ctx, id),
    readSteps(ctx, { area: "reservation", subject: id }, STEPS_MAX),
    readDepositPayments(ctx, id),
  ]);
  return { booking, steps, payments };
};

const bookingChanged = async (ctx: Ctx, id: string): Promise<ApiError> =>
  stateChanged(ctx, { area: "reservation", subject: id }, { booking: await readOneBooking(ctx, id) });

/** Compare and set: when two people tap at once, one has the effect, and the other gets the name of the first. */
export const findSeenBooking = async (ctx: Ctx, id: string, seenVersion: number): Promise<OpenReservation> => {
  const reservation = await findReservationForChange(ctx, id);
  if (reservation.version !== seenVersion) throw await bookingChanged(ctx, id);
  return reservation;
};

/** A cancelled request is a declined one, and a manager answers requests. */
const cancelBooking = (ctx: Ctx, reservation: OpenReservation): Promise<unknown> => {
  if (reservation.status === "pending" && ctx.actor.role === "staff") throw apiError("role_required", { required_role: "manager" });
  return moveReservation(ctx, reservation, "cancelled");
};

const STEPS: Record<BookingStep, (ctx: Ctx, reservation: OpenReservation) => unknown> = {
  arrive: markArrived,
  undo_arrive: takeBackArrival,
  seat: seatExpected,
  leave: markLeft,
  undo_leave: takeBackLeaving,
  no_show: markNoShow,
  undo_no_show: takeBackNoShow,
  cancel: cancelBooking,
};

export const takeStep = async (ctx: Ctx, id: string, { seen_version, step }: { seen_version: number; step: BookingStep }) => {
  await STEPS[step](ctx, await findSeenBooking(ctx, id, seen_version));
  return readOneBooking(ctx, id);
};

export const answerRequest = async (
  ctx: Ctx,
  id: string,
  { seen_version, answer }: { seen_version: number; answer: "confirm" | "decline" },
): Promise<DayBooking> => {
  await moveReservation(ctx, await findSeenBooking(ctx, id, seen_version), answer === "confirm" ? "confirmed" : "declined");
  return readOneBooking(ctx, id);
};

export const changeSeenBooking = async (ctx: Ctx, id: string, { seen_version, ...wanted }: StaffChange & { seen_version: number }) => {
  await changeReservation(ctx, await findSeenBooking(ctx, id, seen_version), wanted);
  return readOneBooking(ctx, id);
};

type NewStaffBooking = Parameters<typeof makeStaffReservation>[1] & {
  party_size: number;
  date: string;
  time: string;
  branch_id?: number | null;
  table_ids?: number[];
  minutes?: number;
};

export const makeBooking = async (ctx: Ctx, wanted: NewStaffBooking): Promise<DayBooking> => {
  const { party_size, date, time, branch_id = null, table_ids = [], minutes = null } = wanted;
  const { id } = await makeStaffReservation(ctx, wanted, { party_size, date, time, branch_id, table_ids, minutes });
  return readOneBooking(ctx, id);
};

export const seatWalkIn = async (ctx: Ctx, wanted: { party_size: number; branch_id?: number | null; table_ids?: number[] }) => {
  const { id } = await seatParty(ctx, {
    party_size: wanted.party_size,
    branch_id: wanted.branch_id ?? null,
    table_ids: wanted.table_ids ?? [],
  });
  return readOneBooking(ctx, id);
};

export const listWalkInTables = async (ctx: Ctx, branchId: number | null) =>
  (await readWalkInOffers(ctx, branchId)).map(({ partySize, tableIds, endsAt }) => ({
    party_size: partySize,
    table_ids: tableIds,
    until: endsAt.toISOString(),
  }));
