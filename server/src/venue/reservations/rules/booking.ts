/** Decides on a reservation and on the availability of a day (open points D114–D123). */
import type { Availability, NewReservation } from "@comanda/contract/venue/reservations.ts";
import type { BookingRules } from "@comanda/contract/venue-file/booking-rules.ts";
import type { FieldErrors } from "#lib/errors.ts";
import { addDays, type CalendarDate, formatDate, instantAt, parseDate } from "#lib/instant.ts";
import { wallClock } from "#lib/time-zone.ts";
import { type BranchHours, isWithinHours, minuteOf } from "#venue/settings/rules/opening-hours.ts";
import { type BookingCalendar, createServingCheck, isTimeShown, slotsOf } from "./slots.ts";
import { type BookableTable, chooseTables, createTableChooser, type FloorPlan, isFree, stayOf, type TableOccupancy } from "./tables.ts";

export type BookingContext = {
  zone: string;
  now: Date;
  rules: BookingRules;
  branches: BranchHours[];
  /** Active tables of every branch, in the owner's order. */
  tables: BookableTable[];
  combinations: FloorPlan["combinations"];
  occupancies: TableOccupancy[];
};

const MINUTE_MS = 60_000;
const HOUR_MAX = 23;

export type Booking = { branchId: number; startsAt: Date; endsAt: Date; tableIds: number[] };

export const decideBooking = (wanted: NewReservation, context: BookingContext): Booking | { errors: FieldErrors } => {
  const { rules, zone } = context;
  const table = context.tables.find(({ id }) => id === wanted.table_id);
  const branch = branchOf(context, table);
  const date = parseDate(wanted.date);
  if (!date) return { errors: { date: ["Must be a valid date."] } };
  if (Number(wanted.time.slice(0, 2)) > HOUR_MAX) return { errors: { time: ["Is not a time of day."] } };
  const startsAt = instantAt(zone, date, minuteOf(wanted.time));
  const stay = stayOf(rules, wanted.party_size, startsAt);
  const errors: FieldErrors = {
    ...partyError(wanted.party_size, rules),
    ...dateError(date, context, branch),
    ...tableError(wanted, context, table, stay),
  };
  if (!errors.date) Object.assign(errors, timeError(wanted.time, startsAt, context, branch));
  const tableIds = table ? [table.id] : chooseTables(floorPlanOf(context, branch), wanted.party_size, stay, context.occupancies);
  const isEngineOn = floorPlanOf(context, branch).tables.length > 0;
  if (Object.keys(errors).length === 0 && isEngineOn && tableIds === null && !rules.allow_overbooking)
    errors.time = ["No table is free for this party at that time."];
  if (Object.keys(errors).length > 0) return { errors };
  return { branchId: branch?.id ?? 0, ...stay, tableIds: tableIds ?? [] };
};

const branchOf = ({ branches }: BookingContext, table: BookableTable | undefined): BranchHours | undefined =>
  branches.find(({ id }) => id === table?.branch_id) ?? branches.find(({ is_default }) => is_default);

const floorPlanOf = ({ tables, combinations }: BookingContext, branch: BranchHours | undefined): FloorPlan => ({
  tables: tables.filter(({ branch_id }) => branch_id === branch?.id),
  combinations,
});

const calendarOf = ({ zone, rules }: BookingContext, branch: BranchHours | undefined): BookingCalendar => ({
  zone,
  hours: branch?.hours ?? null,
  servicePeriods: rules.service_periods,
  closingDays: branch?.closing_days ?? [],
});

const partyError = (partySize: number, { party_size_max }: BookingRules): FieldErrors =>
  partySize > party_size_max ? { party_size: [`At most ${party_size_max} guests can be booked.`] } : {};

/** Null when the day can be booked: not over, not closed, not too far ahead. */
const dayError = (date: CalendarDate, { zone, now, rules }: BookingContext, branch: BranchHours | undefined): string | null => {
  const today: CalendarDate = wallClock(zone, now);
  const day = formatDate(date);
  if (day < formatDate(today)) return "Lies in the past.";
  if (day > formatDate(addDays(today, rules.horizon_days))) return "Is too far ahead.";
  return branch?.closing_days.includes(day) ? "The restaurant is closed on that day." : null;
};

const dateError = (date: CalendarDate, context: BookingContext, branch: BranchHours | undefined): FieldErrors => {
  const refusal = dayError(date, context, branch);
  return refusal === null ? {} : { date: [refusal] };
};

/** Any minute inside the hours is allowed: staff may book 19:10 (open point D115). */
const timeError = (time: string, startsAt: Date, context: BookingContext, branch: BranchHours | undefined): FieldErrors => {
  const clock = wallClock(context.zone, startsAt);
  if (!isTimeShown(clock, time)) return { time: ["The clocks skip that time on that day."] };
  if (isTooSoon(startsAt, context)) return { time: ["Is too soon, or already over."] };
  return createServingCheck(calendarOf(context, branch))(clock) ? {} : { time: ["The restaurant is closed at that time."] };
};

const isTooSoon = (startsAt: Date, { now, rules }: BookingContext): boolean =>
  startsAt.getTime() < now.getTime() + rules.lead_minutes * MINUTE_MS;

const tableError = (
  { table_id, party_size }: NewReservation,
  { occupancies: held }: BookingContext,
  table: BookableTable | undefined,
  stay: { startsAt: Date; endsAt: Date },
): FieldErrors => {
  if (table_id === null || table_id === undefined) return {};
  if (!table) return { table_id: ["There is no such table."] };
  if (table.seats < party_size) return { table_id: ["The table is too small for this party."] };
  return isFree(table.id, stay, held) ? {} : { table_id: ["The table is taken at that time."] };
};

export const decideAvailability = (date: CalendarDate, partySize: number, context: BookingContext): Availability => {
  const branch = branchOf(context, undefined);
  const { rules, zone } = context;
  const floor = floorPlanOf(context, branch);
  const engine = floor.tables.length > 0;
  const { guarantee } = rules;
  const isOffered = dayError(date, context, branch) === null;
  const tablesAt = createTableChooser(floor, partySize, context.occupancies);
  const slots = (isOffered ? slotsOf(calendarOf(context, branch), date, rules.slot_minutes) : []).map(({ time, startsAt }) => ({
    time,
    available:
      !isTooSoon(startsAt, context) &&
      partySize <= rules.party_size_max &&
      (!engine || rules.allow_overbooking || tablesAt(stayOf(rules, partySize, startsAt)) !== null),
    guarantee: guarantee !== null && partySize >= guarantee.party_size_min && isWithinHours(guarantee.hours, wallClock(zone, startsAt)),
  }));
  const isGuaranteed = slots.some((slot) => slot.guarantee);
  return {
    date: formatDate(date),
    party_size: partySize,
    engine,
    slots,
    guarantee:
      guarantee && isGuaranteed ? { type: guarantee.type, amount_minor: guarantee.amount_minor, per_person: guarantee.per_person } : null,
    notify: rules.waiting_list,
  };
};
